"""aiojobs: a pending job that was closed is counted, and a later one never begins."""

from ..finding import Finding

FINDING = Finding(
    "aiojobs_stuck",
    library="aiojobs",
    versions=("1.4.0",),
    bug="A pending job that was closed stays in the queue and is counted off: a later job never starts.",
    rule="LOCK-8",
    control="ended",
    shows="never began",
)
