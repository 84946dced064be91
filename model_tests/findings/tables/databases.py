"""Findings in drivers and pools of databases."""

from __future__ import annotations

from functools import partial
from typing import Final

from ..finding import Finding

_AIOMYSQL: Final = partial(Finding, library="aiomysql", versions=("0.3.2",), folder="aiomysql")
_PSYCOPG_POOL: Final = partial(Finding, library="psycopg-pool", versions=("3.3.3",), folder="psycopg_pool")

FINDINGS: Final = (
    Finding(
        "sqlalchemy_pool",
        library="SQLAlchemy",
        versions=("2.1.9",),
        bug="A task that is cancelled as it connects, or fails to, wakes none of those that wait for a place in the "
        "pool: they wait for the whole timeout, 30 s by default, though no connection is used.",
        rule="LOCK-8",
        control="served",
        shows="waits, though 0 connections are used",
    ),
    _AIOMYSQL(
        "aiomysql_closed",
        bug="A connection that is closed when it is released, as by a cancelled query, wakes no task that waits "
        "in acquire().",
        rule="LOCK-8",
        control="served",
        shows="waits, though 0 connections are used",
    ),
    _AIOMYSQL(
        "aiomysql_connect",
        bug="A task that waits in acquire() when the pool is closed makes `minsize` new connections, and "
        "wait_closed() returns with all but one of them open.",
        rule="QUEUE-32",
        control="0 open",
        shows="1 open",
    ),
    _AIOMYSQL(
        "aiomysql_release",
        bug="A task that is cancelled as it leaves `async with pool.acquire()` cancels the wake-up of the next one, "
        "which waits though a connection is free.",
        rule="LOCK-8",
        control="served",
        shows="waits, though 1 connection is free",
    ),
    _AIOMYSQL(
        "aiomysql_terminate",
        bug="terminate() wakes no task that waits in acquire() or wait_closed(), and the pool is closed without them: "
        "they wait for ever.",
        rule="QUEUE-32",
        control="ends",
        shows="waits, though the pool is closed",
    ),
    Finding(
        "asyncpg_close",
        library="asyncpg",
        versions=("0.32.0",),
        bug="Pool.close() lets a task that waits in acquire() have a connection that is released, and closes it while "
        "the task uses it.",
        rule="QUEUE-32",
        control="not interrupted",
        shows="interrupted",
    ),
    _PSYCOPG_POOL(
        "psycopg_pool_close",
        bug="A pool with a reset function that is closed as soon as a connection was returned leaves the "
        "connection open.",
        rule="QUEUE-32",
        control="0 open",
        shows="1 open",
    ),
    _PSYCOPG_POOL(
        "psycopg_pool_null",
        bug="A task that is cancelled as it returns a connection to a null pool, while another connects, "
        "takes its place in the pool with it, and the connection stays open.",
        rule="LOCK-5",
        control="serves two",
        shows="serves one",
    ),
    _PSYCOPG_POOL(
        "psycopg_pool_putconn",
        bug="putconn() of a connection within a transaction swallows the cancel of its caller, which goes on.",
        rule="CANCEL-2",
        control="cancelled",
        shows="goes on",
    ),
    _PSYCOPG_POOL(
        "psycopg_pool_resize",
        bug="resize() of a pool that has grown adds connections as if it had not: there are more than max_size.",
        rule="LOCK-6",
        control="3 connections",
        shows="5 connections",
    ),
    _PSYCOPG_POOL(
        "psycopg_pool_wait",
        bug="wait() raises AssertionError if an earlier one was cancelled, or still waits.",
        rule="LOCK-14",
        control="full",
        shows="AssertionError",
    ),
)
