"""asyncio-pool: map() and spawn() swallow the cancel of a caller that waits for a place."""

from ..finding import Finding

FINDING = Finding(
    "asyncio_pool_map",
    library="asyncio-pool",
    versions=("0.6.0",),
    bug="map() and spawn() swallow the cancel of a caller that waits for a place.",
    rule="CANCEL-2",
    control="cancelled",
    shows="went on",
)
