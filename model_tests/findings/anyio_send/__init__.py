"""anyio: the item of a send whose scope was cancelled is received."""

from ..finding import Finding

FINDING = Finding(
    "anyio_send",
    library="anyio",
    versions=("4.16.0",),
    bug="The item of a send() whose CancelScope was cancelled is received.",
    rule="QUEUE-27",
    control="send() was cancelled, 0 received",
    shows="send() was cancelled, 1 received",
)
