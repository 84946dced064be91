"""psycopg-pool: wait() fails with AssertionError if an earlier one was cancelled."""

from ..finding import Finding

FINDING = Finding(
    "psycopg_pool_wait",
    library="psycopg-pool",
    versions=("3.3.3",),
    bug="wait() raises AssertionError if an earlier one was cancelled, or still waits.",
    rule="LOCK-14",
    control="full",
    shows="AssertionError",
)
