"""aiomysql: a task that waits in acquire() when the pool is closed connects, and leaves a connection open."""

from ..finding import Finding

FINDING = Finding(
    "aiomysql_connect",
    library="aiomysql",
    versions=("0.3.2",),
    bug="A task that waits in acquire() when the pool is closed makes `minsize` new connections, and "
    "wait_closed() returns with all but one of them open.",
    rule="QUEUE-32",
    control="0 open",
    shows="1 open",
)
