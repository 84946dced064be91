"""aiomcache: after a call that is cancelled, the next call gets its answer."""

from ..finding import Finding

FINDING = Finding(
    "aiomcache_reply",
    library="aiomcache",
    versions=("0.8.2",),
    bug="A call that is cancelled gives its connection back with the answer still to come: the next call reads it.",
    rule="STREAM-10",
    control="the value of b",
    shows="none, although b has a value",
    known="https://github.com/aio-libs/aiomcache/issues/489",
)
