"""psycopg-pool: a connection that was returned to a pool with a reset function stays open if the pool is closed."""

from ..finding import Finding

FINDING = Finding(
    "psycopg_pool_close",
    library="psycopg-pool",
    versions=("3.3.3",),
    bug="A pool with a reset function that is closed as soon as a connection was returned leaves the "
    "connection open.",
    rule="QUEUE-32",
    control="0 open",
    shows="1 open",
)
