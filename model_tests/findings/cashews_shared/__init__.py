"""cashews: a caller of a cached function that is cancelled cancels the others that wait for the same value."""

from ..finding import Finding

FINDING = Finding(
    "cashews_shared",
    library="cashews",
    versions=("7.6.0",),
    bug="A caller of a cached function that is cancelled cancels the load that it shares: the other "
    "callers get CancelledError.",
    rule="CANCEL-7",
    control="the other: a value",
    shows="the other: cancelled",
)
