"""redis: an acquire() that is cancelled leaves its lock locked for ever."""

from ..finding import Finding

FINDING = Finding(
    "redis_lock",
    library="redis",
    versions=("8.1.0",),
    bug="An acquire() that is cancelled after its command was sent leaves the lock locked, and its object "
    "cannot release it.",
    rule="LOCK-5",
    control="acquired",
    shows="locked, and LockError from release()",
)
