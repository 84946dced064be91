"""psycopg-pool: a task that is cancelled as it returns a connection to a null pool takes its place away."""

from ..finding import Finding

FINDING = Finding(
    "psycopg_pool_null",
    library="psycopg-pool",
    versions=("3.3.3",),
    bug="A task that is cancelled as it returns a connection to a null pool, while another connects, "
    "takes its place in the pool with it, and the connection stays open.",
    rule="LOCK-5",
    control="serves two",
    shows="serves one",
)
