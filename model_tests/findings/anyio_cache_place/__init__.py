"""anyio: each call of a cached function that fails takes a place of the cache for ever."""

from ..finding import Finding

FINDING = Finding(
    "anyio_cache_place",
    library="anyio",
    versions=("4.16.0",),
    bug="Each call of a cached function that fails or is cancelled takes a place of the cache for ever.",
    rule="LOCK-6",
    control="2 of 2 are cached",
    shows="0 of 2 are cached",
)
