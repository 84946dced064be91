"""aiohttp: a request that finds an idle connection does not heed the limit of its connector."""

from ..finding import Finding

FINDING = Finding(
    "aiohttp_limit",
    library="aiohttp",
    versions=("3.14.5",),
    bug="A request takes an idle connection to its host without a look at the limit: more connections are in use than "
    "the connector allows.",
    rule="LOCK-6",
    control="at most 1 in use",
    shows="2 in use at once",
)
