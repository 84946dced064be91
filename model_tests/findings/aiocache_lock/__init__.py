"""aiocache: a locked load raises KeyError if a load in another cache has the same key."""

from ..finding import Finding

FINDING = Finding(
    "aiocache_lock",
    library="aiocache",
    versions=("0.12.3",),
    bug="A locked load raises KeyError if a load of the same key in another cache ends first.",
    rule="LOCK-9",
    control="user 1, order 1",
    shows="user 1, KeyError",
)
