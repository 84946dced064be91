"""aiotools: race() swallows a cancel that comes while the losers end."""

from ..finding import Finding

FINDING = Finding(
    "aiotools_scope",
    library="aiotools",
    versions=("2.2.4",),
    bug="race() swallows a cancel that comes while the losers end, and so does a scope that ends its tasks.",
    rule="GROUP-5",
    control="cancelled",
    shows="went on",
)
