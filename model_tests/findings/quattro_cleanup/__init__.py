"""quattro: a timeout in the clean-up of a cancelled task raises CancelledError in place of TimeoutError."""

from ..finding import Finding

FINDING = Finding(
    "quattro_cleanup",
    library="quattro",
    versions=("26.1.0",),
    bug="A timeout in the clean-up of a cancelled task raises CancelledError in place of TimeoutError.",
    rule="TIMEOUT-1",
    control="TimeoutError",
    shows="CancelledError",
)
