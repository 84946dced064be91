"""asyncpg: close() of a pool closes the connection of a task that waited for one."""

from ..finding import Finding

FINDING = Finding(
    "asyncpg_close",
    library="asyncpg",
    versions=("0.32.0",),
    bug="Pool.close() lets a task that waits in acquire() have a connection that is released, and closes it while the "
    "task uses it.",
    rule="QUEUE-32",
    control="not interrupted",
    shows="interrupted",
)
