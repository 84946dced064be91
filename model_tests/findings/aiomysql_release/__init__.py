"""aiomysql: a task that is cancelled as it releases its connection wakes no task that waits for one."""

from ..finding import Finding

FINDING = Finding(
    "aiomysql_release",
    library="aiomysql",
    versions=("0.3.2",),
    bug="A task that is cancelled as it leaves `async with pool.acquire()` cancels the wake-up of the next one, "
    "which waits though a connection is free.",
    rule="LOCK-8",
    control="served",
    shows="waits, though 1 connection is free",
)
