"""cashews: a lock in memory that has expired releases the lock of its successor."""

from ..finding import Finding

FINDING = Finding(
    "cashews_lock",
    library="cashews",
    versions=("7.6.0",),
    bug="A holder of a lock in memory that has expired releases the lock of the next holder: a third "
    "enters beside it.",
    rule="LOCK-7",
    control="1 at once",
    shows="2 at once",
)
