"""aiorwlock: a reader waits on after the writer that it waited for has given up."""

from ..finding import Finding

FINDING = Finding(
    "aiorwlock_reader",
    library="aiorwlock",
    versions=("1.5.1",),
    bug="A reader waits on after the writer that it waited for has given up.",
    rule="LOCK-5",
    control="reads",
    shows="waits, and no writer does",
)
