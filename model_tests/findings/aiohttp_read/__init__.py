"""aiohttp: closing a session leaves the task that reads a response waiting."""

from ..finding import Finding

FINDING = Finding(
    "aiohttp_read",
    library="aiohttp",
    versions=("3.14.5",),
    bug="close() of a session does not wake a task that reads the body of a response: it waits until its timeout.",
    rule="STREAM-5",
    control="ends",
    shows="waits",
    known="https://github.com/aio-libs/aiohttp/issues/5582",
)
