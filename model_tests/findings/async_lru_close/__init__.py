"""async-lru: cache_close() leaves loads running whose entries the cache has dropped."""

from ..finding import Finding

FINDING = Finding(
    "async_lru_close",
    library="async-lru",
    versions=("2.4.0",),
    bug="cache_close() neither cancels nor awaits a load whose entry was evicted, or whose last caller was "
    "cancelled.",
    rule="GROUP-1",
    control="0 run",
    shows="1 run",
)
