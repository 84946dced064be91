"""nats-py: after a flush() that is cancelled or too late the client receives nothing more."""

from ..finding import Finding

FINDING = Finding(
    "nats_flush",
    library="nats-py",
    versions=("2.16.0",),
    bug="After a flush() whose caller gives up, the answer to its ping stops the task that reads: the "
    "client receives nothing more.",
    rule="FUT-1",
    control="a message",
    shows="no message, though the connection is open",
    cancel="flush",
    failure="AssertionError: the client receives nothing",
)
