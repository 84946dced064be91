"""CPython: a shield that is left keeps the task that made it as long as the inner future lives on."""

from ..finding import PYTHON, Finding

FINDING = Finding(
    "cpython_shield_left",
    library=PYTHON,
    versions=("3.14.2", "3.14.10", "3.15.0rc1", "3.15.2"),
    bug="A shield that is left, neither awaited to its end nor cancelled, keeps the task that made it as long as the "
    "inner future lives on.",
    rule="SHIELD-1",
    control="0 of 5 ended tasks are kept",
    shows="5 of 5 ended tasks are kept",
    known="in part: gh-155143 is about shields that are cancelled",
)
