"""nats-py: drain() swallows a cancel."""

from ..finding import Finding

FINDING = Finding(
    "nats_drain",
    library="nats-py",
    versions=("2.16.0",),
    bug="drain() of a client returns to a caller that was cancelled as if it was not: the cancel is lost.",
    rule="CANCEL-11",
    control="stops",
    shows="goes on, although it was cancelled",
)
