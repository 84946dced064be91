"""aiohttp: a request that is prepared while its session is closed raises a bare AssertionError."""

from ..finding import Finding

FINDING = Finding(
    "aiohttp_assert",
    library="aiohttp",
    versions=("3.14.5",),
    bug="A request that a middleware or a trace prepares, or that is tried again, while its session is closed raises a "
    "bare AssertionError.",
    rule="QUEUE-32",
    control="ClientConnectionError",
    shows="AssertionError",
)
