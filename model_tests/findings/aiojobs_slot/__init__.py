"""aiojobs: a job that was spawned while the queue was full does not start although a place is free."""

from ..finding import Finding

FINDING = Finding(
    "aiojobs_slot",
    library="aiojobs",
    versions=("1.4.0",),
    bug="A job that was spawned while the queue was full does not start although a place is free.",
    rule="LOCK-8",
    control="2 of 2 run, 0 waits",
    shows="1 of 2 run, 1 waits",
)
