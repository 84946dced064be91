"""CPython: an error that a task retrieves is reported after the shield was cancelled."""

from ..finding import PYTHON, Finding

FINDING = Finding(
    "cpython_shield",
    library=PYTHON,
    versions=("3.14.2", "3.15.0rc1"),
    bug="After a shield was cancelled, an exception of its inner future that a task retrieves is reported.",
    rule="FUT-9",
    control="retrieved, 0 reports",
    shows="retrieved, 1 reports",
    failure="shield reports what is taken",
    mended="3.14.10 and 3.15.2",
    known="gh-156321",
)
