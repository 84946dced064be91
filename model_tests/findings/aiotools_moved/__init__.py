"""aiotools: after move_on_after() has ended a block, an enclosing timeout raises CancelledError."""

from ..finding import Finding

FINDING = Finding(
    "aiotools_moved",
    library="aiotools",
    versions=("2.2.4",),
    bug="After move_on_after() has ended a block, an enclosing timeout raises CancelledError in place of "
    "TimeoutError.",
    rule="TIMEOUT-8",
    control="TimeoutError",
    shows="CancelledError",
)
