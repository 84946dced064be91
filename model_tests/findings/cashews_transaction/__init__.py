"""cashews: what a task writes after a commit that was cancelled is lost."""

from ..finding import Finding

FINDING = Finding(
    "cashews_transaction",
    library="cashews",
    versions=("7.6.0",),
    bug="After a commit that was cancelled, or failed, its transaction stays the current one of the "
    "task: all that it writes later is lost.",
    rule="LOCK-5",
    control="the next write: kept",
    shows="the next write: lost",
)
