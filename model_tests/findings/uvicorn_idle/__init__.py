"""uvicorn: shutdown waits for ever for a client that connected in the iteration in which it began."""

from ..finding import Finding

FINDING = Finding(
    "uvicorn_idle",
    library="uvicorn",
    versions=("0.54.0",),
    bug="Shutdown misses a connection that was accepted in the iteration in which it begins: it waits until the client "
    "closes it, and the client waits for the server.",
    rule="QUEUE-32",
    control="shutdown ends",
    shows="shutdown waits for an idle client",
    cancel="work",
    failure="AssertionError: shutdown does not end",
)
