"""gmqtt: a client that is disconnected while it reconnects connects all the same."""

from ..finding import Finding

FINDING = Finding(
    "gmqtt_disconnect",
    library="gmqtt",
    versions=("0.8.0",),
    bug="disconnect() of a client that waits to reconnect does not stop that: it connects, and stays "
    "connected.",
    rule="CANCEL-2",
    control="not connected",
    shows="connected after disconnect()",
)
