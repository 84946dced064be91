"""tenacity: a retry of all but some exceptions takes a cancel of its caller for an error, and goes on."""

from ..finding import Finding

FINDING = Finding(
    "tenacity_cancel",
    library="tenacity",
    versions=("9.2.1",),
    bug="A retry with retry_if_not_exception_type() retries after a CancelledError: the cancel is swallowed.",
    rule="CANCEL-2",
    control="cancelled",
    shows="goes on",
    cancel="fetch",
    failure="AssertionError: a caller is cancelled",
    known="https://github.com/jd/tenacity/issues/529",
)
