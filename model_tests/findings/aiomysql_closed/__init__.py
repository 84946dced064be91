"""aiomysql: a connection that is released closed, or in a transaction, wakes no task that waits for one."""

from ..finding import Finding

FINDING = Finding(
    "aiomysql_closed",
    library="aiomysql",
    versions=("0.3.2",),
    bug="A connection that is closed when it is released, as by a cancelled query, wakes no task that waits "
    "in acquire().",
    rule="LOCK-8",
    control="served",
    shows="waits, though 0 connections are used",
    cancel="query",
    failure="AssertionError: a task waits for a connection, and none is used",
)
