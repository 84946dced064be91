"""aiocache: clear() leaves the timers of the values, which delete newer ones."""

from ..finding import Finding

FINDING = Finding(
    "aiocache_clear",
    library="aiocache",
    versions=("0.12.3",),
    bug="clear() of a cache in memory leaves the timers of its values: each deletes a newer value of its "
    "key before its time.",
    rule="FUT-15",
    control="the new value: kept",
    shows="the new value: gone",
)
