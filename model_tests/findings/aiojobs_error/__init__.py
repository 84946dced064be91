"""aiojobs: the error of a job whose waiter was cancelled is not reported."""

from ..finding import Finding

FINDING = Finding(
    "aiojobs_error",
    library="aiojobs",
    versions=("1.4.0",),
    bug="The error of a job whose waiter was cancelled does not reach the exception handler.",
    rule="FUT-9",
    control="1 reports",
    shows="0 reports",
    cancel="handle",
    failure="AssertionError: a job has failed, and its error was reported nowhere",
)
