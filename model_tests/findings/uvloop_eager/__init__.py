"""uvloop: a task factory gets eager_start=None and context=None, so that asyncio's eager factory is not eager."""

from ..finding import Finding

FINDING = Finding(
    "uvloop_eager",
    library="uvloop",
    versions=("0.23.0",),
    since=(3, 13),
    bug="create_task() passes eager_start=None to every task factory: asyncio.eager_task_factory is not eager on "
    "Python 3.14 and 3.15, and raises TypeError on 3.13.",
    rule="TASK-14",
    control="eager",
    shows="not eager",
    subject="on_uvloop.py",
)
