"""nats-py: a connect() that fails or is cancelled leaves its connection open."""

from ..finding import Finding

FINDING = Finding(
    "nats_connect",
    library="nats-py",
    versions=("2.16.0",),
    bug="nats.connect() that is cancelled, or that waits too long for the server, leaves its connection "
    "open, and no reference to it.",
    rule="STREAM-16",
    control="closed",
    shows="left open",
    cancel="open_client",
    failure="AssertionError: a connection is left open",
)
