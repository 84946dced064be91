"""aiometer: run_any() waits for all calls before it returns the first result."""

from ..finding import Finding

FINDING = Finding(
    "aiometer_any",
    library="aiometer",
    versions=("1.0.0",),
    bug="run_any() neither cancels the other calls when it has a result, nor returns before they have ended.",
    rule="GROUP-2",
    control="returns in time",
    shows="waits for the slowest",
)
