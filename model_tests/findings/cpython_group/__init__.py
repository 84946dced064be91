"""CPython: after TaskGroup.cancel() a cancel from outside costs the error of the body."""

from ..finding import PYTHON, Finding

FINDING = Finding(
    "cpython_group",
    library=PYTHON,
    versions=("3.15.2",),
    bug="After TaskGroup.cancel() the error of the body is lost, if a cancel from outside comes while the group waits "
    "for its tasks.",
    rule="GROUP-5",
    control="raised ExceptionGroup of ValueError",
    shows="raised CancelledError",
    known="not reported when it was found; gh-155433 brought it",
)
