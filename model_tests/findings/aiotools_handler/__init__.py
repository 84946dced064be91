"""aiotools: PersistentTaskGroup does not call its handler for an error if the result's awaiter was cancelled."""

from ..finding import Finding

FINDING = Finding(
    "aiotools_handler",
    library="aiotools",
    versions=("2.2.4",),
    bug="PersistentTaskGroup does not call its handler for an error if the task that awaits the result "
    "was cancelled.",
    rule="FUT-1",
    control="1 calls",
    shows="0 calls",
)
