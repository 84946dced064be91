"""CPython: gather() keeps its caller as long as a child lives on."""

from ..finding import PYTHON, Finding

FINDING = Finding(
    "cpython_gather",
    library=PYTHON,
    versions=("3.14.2", "3.14.10", "3.15.0rc1", "3.15.2"),
    bug="gather() that has raised, or was left, keeps the task that called it, with its result, as long as a child "
    "lives on.",
    rule="GATHER-2",
    control="0 of 5 ended tasks are kept",
    shows="5 of 5 ended tasks are kept",
    known="in part: gh-157213 is about the graph of tasks only",
)
