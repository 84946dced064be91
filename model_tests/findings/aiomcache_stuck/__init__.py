"""aiomcache: a call that waits for a connection waits for ever after the call that has it fails."""

from ..finding import Finding

FINDING = Finding(
    "aiomcache_stuck",
    library="aiomcache",
    versions=("0.8.2",),
    bug="A call that waits for a place in the pool waits for ever if the call before it fails: a broken connection is "
    "closed, and no waiter learns that there is room for a new one.",
    rule="LOCK-8",
    control="a value",
    shows="waits, although the pool is empty",
    cancel="fetch",
    failure="DeadlockError: nothing can ever happen any more",
)
