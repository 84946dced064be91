"""async-lru: a load that was cancelled removes the entry of its successor, and the key is loaded again."""

from ..finding import Finding

FINDING = Finding(
    "async_lru_entry",
    library="async-lru",
    versions=("2.4.0",),
    bug="A load that ends in an error or a cancel removes the entry of a newer load of its key: the key is loaded "
    "twice at once, and the newer value is not cached.",
    rule="FUT-15",
    control="loaded 1 times",
    shows="loaded 2 times",
)
