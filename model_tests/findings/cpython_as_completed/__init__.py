"""CPython: as_completed() that is left early keeps its caller as long as a future that it was given lives on."""

from ..finding import PYTHON, Finding

FINDING = Finding(
    "cpython_as_completed",
    library=PYTHON,
    versions=("3.14.10", "3.15.2"),
    bug="as_completed() that is left before its end keeps the task that called it, with its result, as long as a "
    "future that it was given lives on.",
    rule="ASDONE-1",
    control="0 of 5 ended tasks are kept",
    shows="5 of 5 ended tasks are kept",
    known="not reported when it was found; gh-156523 brought it",
)
