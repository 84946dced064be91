"""psycopg-pool: resize() of a pool that has grown makes more connections than its limit."""

from ..finding import Finding

FINDING = Finding(
    "psycopg_pool_resize",
    library="psycopg-pool",
    versions=("3.3.3",),
    bug="resize() of a pool that has grown adds connections as if it had not: there are more than max_size.",
    rule="LOCK-6",
    control="3 connections",
    shows="5 connections",
)
