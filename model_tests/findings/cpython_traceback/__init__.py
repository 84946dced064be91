"""CPython: to format the error of a missing submodule, traceback imports its parent again."""

from ..finding import PYTHON, Finding

FINDING = Finding(
    "cpython_traceback",
    library=PYTHON,
    versions=("3.15.0rc1", "3.15.2"),
    bug="To format the ModuleNotFoundError of a submodule, traceback imports its parent, whose code runs again; if "
    "that fails, format_exc() raises.",
    rule="",
    control="formatted, imported once",
    shows="not formatted, imported again",
    known="in part: gh-151631 is about a parent that is None in sys.modules",
)
