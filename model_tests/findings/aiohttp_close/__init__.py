"""aiohttp: closing a session cancels, from the inside, the tasks whose requests wait for a place."""

from ..finding import Finding

FINDING = Finding(
    "aiohttp_close",
    library="aiohttp",
    versions=("3.14.5",),
    bug="close() of a session raises CancelledError in each request that waits for a place in the pool: a task that "
    "was not cancelled is.",
    rule="CANCEL-9",
    control="ClientConnectionError",
    shows="CancelledError",
)
