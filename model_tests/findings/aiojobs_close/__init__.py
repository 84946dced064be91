"""aiojobs: Job.close() swallows the cancel of its caller."""

from ..finding import Finding

FINDING = Finding(
    "aiojobs_close",
    library="aiojobs",
    versions=("1.4.0",),
    bug="Job.close() swallows the cancel of its caller.",
    rule="CANCEL-2",
    control="cancelled",
    shows="went on",
    known="https://github.com/aio-libs/aiojobs/issues/606, mended in the development version",
)
