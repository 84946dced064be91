"""psycopg-pool: putconn() swallows the cancel of its caller."""

from ..finding import Finding

FINDING = Finding(
    "psycopg_pool_putconn",
    library="psycopg-pool",
    versions=("3.3.3",),
    bug="putconn() of a connection within a transaction swallows the cancel of its caller, which goes on.",
    rule="CANCEL-2",
    control="cancelled",
    shows="goes on",
)
