"""anyio: an item that was handed to a receiver is lost with its native cancel."""

from ..finding import NO_BUG, Finding

FINDING = Finding(
    "anyio_stream",
    library="anyio",
    versions=("4.16.0",),
    bug="A task that is cancelled by asyncio's own cancel() after an item was handed to it loses the item.",
    rule="QUEUE-5",
    control="1 received, 0 left",
    shows="0 received, 0 left",
    known=NO_BUG + "https://github.com/agronholm/anyio/issues/728; CancelScope.cancel() is right",
)
