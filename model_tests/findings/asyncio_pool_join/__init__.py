"""asyncio-pool: join() waits for ever if the last call was cancelled while it waited for a place."""

from ..finding import Finding

FINDING = Finding(
    "asyncio_pool_join",
    library="asyncio-pool",
    versions=("0.6.0",),
    bug="join() waits for ever if the last call of the pool was cancelled while it waited for a place.",
    rule="QUEUE-7",
    control="join() ended",
    shows="join() waits, and the pool is empty",
)
