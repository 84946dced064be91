"""nats-py: after a close() that is cancelled the connection stays open for ever."""

from ..finding import Finding

FINDING = Finding(
    "nats_close",
    library="nats-py",
    versions=("2.16.0",),
    bug="After a close() that is cancelled the client counts as closed: another close() does nothing, and "
    "the connection stays open.",
    rule="STREAM-16",
    control="closed",
    shows="open, although the client is closed",
)
