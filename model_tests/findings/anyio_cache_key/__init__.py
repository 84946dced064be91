"""anyio: a call of a cached function raises KeyError if the call that it waits for fails."""

from ..finding import Finding

FINDING = Finding(
    "anyio_cache_key",
    library="anyio",
    versions=("4.16.0",),
    bug="A call of a cached function raises KeyError if the call with the same argument that it waits for fails.",
    rule="LOCK-5",
    control="a value",
    shows="KeyError",
)
