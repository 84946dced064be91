"""CPython: the exception handler is not called if a task reports an error of its own."""

from ..finding import PYTHON, Finding

FINDING = Finding(
    "cpython_handler",
    library=PYTHON,
    versions=("3.12.1", "3.13.0", "3.13.18", "3.14.10", "3.15.2"),
    bug="The exception handler is not called if a task reports an error with itself in the context.",
    rule="FUT-9",
    control="1 calls",
    shows="0 calls",
    known="not reported when it was found; gh-96704 brought it",
)
