"""quattro: a scope whose deadline has passed, and whose block does not wait, cancels what comes after it."""

from ..finding import Finding

FINDING = Finding(
    "quattro_scope",
    library="quattro",
    versions=("26.1.0",),
    bug="A scope whose deadline has passed, and whose block does not wait, cancels what comes after it.",
    rule="TIMEOUT-8",
    control="went on",
    shows="cancelled",
)
