"""aiojobs: a wait(timeout=) that was cancelled cancels the job at its timeout."""

from ..finding import Finding

FINDING = Finding(
    "aiojobs_wait",
    library="aiojobs",
    versions=("1.4.0",),
    bug="A wait(timeout=) that was cancelled cancels the job when its timeout is over.",
    rule="SHIELD-2",
    control="the job is done",
    shows="the job is cancelled",
)
