"""nats-py: a call of next_msg() that is cancelled may lose a message."""

from ..finding import Finding

FINDING = Finding(
    "nats_next",
    library="nats-py",
    versions=("2.16.0",),
    bug="A call of next_msg() that is cancelled when its message has arrived loses it, and drain() waits "
    "for it until its timeout.",
    rule="QUEUE-27",
    control="received",
    shows="lost",
    known="in part: https://github.com/nats-io/nats.py/issues/392 names the loss by a timeout, in an older next_msg()",
)
