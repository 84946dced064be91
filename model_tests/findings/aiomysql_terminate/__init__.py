"""aiomysql: terminate() leaves the tasks that wait for a connection waiting."""

from ..finding import Finding

FINDING = Finding(
    "aiomysql_terminate",
    library="aiomysql",
    versions=("0.3.2",),
    bug="terminate() wakes no task that waits in acquire() or wait_closed(), and the pool is closed without them: "
    "they wait for ever.",
    rule="QUEUE-32",
    control="ends",
    shows="waits, though the pool is closed",
)
