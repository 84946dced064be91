"""aiohttp: a request that is cancelled in a trace leaves its connection open, outside the pool."""

from ..finding import Finding

FINDING = Finding(
    "aiohttp_trace",
    library="aiohttp",
    versions=("3.14.5",),
    bug="A request that is cancelled, or fails, in the trace on_connection_create_end or on_connection_reuseconn "
    "leaves its connection open, outside the pool.",
    rule="LOCK-14",
    control="closed",
    shows="the session is closed, a connection is open",
)
