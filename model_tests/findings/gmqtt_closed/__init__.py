"""gmqtt: a disconnect() that is cancelled makes other calls raise CancelledError."""

from ..finding import Finding

FINDING = Finding(
    "gmqtt_closed",
    library="gmqtt",
    versions=("0.8.0",),
    bug="A disconnect() that is cancelled cancels the future that all calls share: each other one raises "
    "CancelledError.",
    rule="SHIELD-2",
    control="returns",
    shows="CancelledError, though its task was not cancelled",
    cancel="stop",
    failure="AssertionError: CancelledError in a task that was not cancelled",
)
