"""SQLAlchemy: a task that is cancelled as it connects, or fails to, wakes no task that waits for its place."""

from ..finding import Finding

FINDING = Finding(
    "sqlalchemy_pool",
    library="SQLAlchemy",
    versions=("2.1.9",),
    bug="A task that is cancelled as it connects, or fails to, wakes none of those that wait for a place in the pool: "
    "they wait for the whole timeout, 30 s by default, though no connection is used.",
    rule="LOCK-8",
    control="served",
    shows="waits, though 0 connections are used",
    cancel="use",
    failure="AssertionError: a task waits for a connection, and none is used",
)
