"""rloop: SystemExit in the main coroutine is never raised."""

from ..finding import Finding

FINDING = Finding(
    "rloop_exit",
    library="rloop",
    versions=("0.5.0",),
    bug="run_until_complete() never returns after SystemExit in the main coroutine.",
    rule="TASK-13",
    control="status 3",
    shows="does not return",
    subject="on_rloop.py",
)
