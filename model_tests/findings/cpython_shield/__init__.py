"""CPython 3.14: an error that a task retrieves is reported after the shield was cancelled."""

from ..finding import PYTHON, Finding

FINDING = Finding(
    "cpython_shield",
    library=PYTHON,
    versions=("3.14", "3.15"),
    bug="After a shield was cancelled, an exception of its inner future that a task retrieves is reported.",
    rule="FUT-9",
    control="retrieved, 0 reports",
    shows="retrieved, 1 reports",
    failure="shield reports what is taken",
    known="gh-156321",
)
