"""aiohttp: a request that is cancelled after it was woken keeps the wake-up of the next one."""

from ..finding import Finding

FINDING = Finding(
    "aiohttp_pool",
    library="aiohttp",
    versions=("3.14.5",),
    bug="A request that waits for a place in the pool, and is cancelled after it was woken, does not pass the wake-up "
    "on: the next request waits although the pool is empty.",
    rule="LOCK-5",
    control="hello",
    shows="waits, although the pool is empty",
)
