"""asyncio-pool: cancel() of a call that has not begun loses a place of the pool."""

from ..finding import Finding

FINDING = Finding(
    "asyncio_pool_cancel",
    library="asyncio-pool",
    versions=("0.6.0",),
    bug="cancel() of a call that has not begun loses a place of the pool: the next call and join() wait "
    "for ever.",
    rule="LOCK-8",
    control="the next call ran",
    shows="the next call waits, and none runs",
)
