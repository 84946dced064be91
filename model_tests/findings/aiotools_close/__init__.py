"""aiotools: aclose() never returns if its caller is cancelled."""

from ..finding import Finding

FINDING = Finding(
    "aiotools_close",
    library="aiotools",
    versions=("2.2.4",),
    bug="aclose() of a scope never returns if its caller is cancelled while the tasks of the scope end.",
    rule="GROUP-1",
    control="returned",
    shows="waits, and no task is left",
)
