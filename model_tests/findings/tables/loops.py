"""Findings in CPython and its event loops."""

from __future__ import annotations

from functools import partial
from typing import Final

from ..finding import PYTHON, Finding

_CPYTHON: Final = partial(Finding, library=PYTHON, folder="cpython")
_RLOOP: Final = partial(Finding, library="rloop", versions=("0.5.0",))

FINDINGS: Final = (
    _CPYTHON(
        "cpython_as_completed",
        versions=("3.14.10", "3.15.2"),
        bug="as_completed() that is left before its end keeps the task that called it, with its result, as long as a "
        "future that it was given lives on.",
        rule="LEAK-8",
        control="0 of 5 ended tasks are kept",
        shows="5 of 5 ended tasks are kept",
        known="not reported when it was found; gh-156523 brought it",
    ),
    _CPYTHON(
        "cpython_gather",
        versions=("3.14.2", "3.14.10", "3.15.0rc1", "3.15.2"),
        bug="gather() that has raised, or was left, keeps the task that called it, with its result, as long as a child "
        "lives on.",
        rule="LEAK-5",
        control="0 of 5 ended tasks are kept",
        shows="5 of 5 ended tasks are kept",
        known="in part: gh-157213 is about the graph of tasks only",
    ),
    _CPYTHON(
        "cpython_group",
        versions=("3.15.2",),
        bug="After TaskGroup.cancel() the error of the body is lost, if a cancel from outside comes while the group "
        "waits for its tasks.",
        rule="GROUP-5",
        control="raised ExceptionGroup of ValueError",
        shows="raised CancelledError",
        known="not reported when it was found; gh-155433 brought it",
    ),
    _CPYTHON(
        "cpython_handler",
        versions=("3.12.1", "3.13.0", "3.13.18", "3.14.10", "3.15.2"),
        bug="The exception handler is not called if a task reports an error with itself in the context.",
        rule="FUT-9",
        control="1 calls",
        shows="0 calls",
        known="not reported when it was found; gh-96704 brought it",
    ),
    _CPYTHON(
        "cpython_shield",
        versions=("3.14.2", "3.15.0rc1"),
        bug="After a shield was cancelled, an exception of its inner future that a task retrieves is reported.",
        rule="FUT-9",
        control="retrieved, 0 reports",
        shows="retrieved, 1 reports",
        failure="shield reports what is taken",
        mended="3.14.10 and 3.15.2",
        known="gh-156321",
    ),
    _CPYTHON(
        "cpython_shield_left",
        versions=("3.14.2", "3.14.10", "3.15.0rc1", "3.15.2"),
        bug="A shield that is left, neither awaited to its end nor cancelled, keeps the task that made it as long as "
        "the inner future lives on.",
        rule="LEAK-4",
        control="0 of 5 ended tasks are kept",
        shows="5 of 5 ended tasks are kept",
        known="in part: gh-155143 is about shields that are cancelled",
    ),
    _CPYTHON(
        "cpython_traceback",
        versions=("3.15.0rc1", "3.15.2"),
        bug="To format the ModuleNotFoundError of a submodule, traceback imports its parent, whose code runs again; if "
        "that fails, format_exc() raises.",
        rule="",
        control="formatted, imported once",
        shows="not formatted, imported again",
        known="in part: gh-151631 is about a parent that is None in sys.modules",
    ),
    _RLOOP(
        "rloop_exit",
        bug="run_until_complete() never returns after SystemExit in the main coroutine.",
        rule="TASK-13",
        control="status 3",
        shows="does not return",
        subject="on_rloop.py",
    ),
    _RLOOP(
        "rloop_handler",
        bug="The exception handler is called without the loop.",
        rule="FUT-9",
        control="called 1 times",
        shows="called 0 times",
        subject="on_rloop.py",
    ),
    Finding(
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
    ),
)
