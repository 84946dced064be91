"""httpcore: a request that is cancelled leaves its connection in the pool."""

from ..finding import Finding

FINDING = Finding(
    "httpcore_pool",
    library="httpcore",
    versions=("1.0.9",),
    bug="A request that is cancelled while others wait leaves its connection in the pool, where it can serve no other.",
    rule="LOCK-5",
    control="hello",
    shows="PoolTimeout",
    cancel="fetch",
    failure="AssertionError: a request ended with PoolTimeout",
    known="https://github.com/encode/httpcore/issues/1093",
)
