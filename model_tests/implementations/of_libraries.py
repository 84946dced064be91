"""The primitives of libraries, held to asyncio's rules: python -m model_tests.implementations.of_libraries [NAME...]

Without a name all are, and the table is written.
"""

import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Final

from ..conformance.judge import State
from .corpus import AnyImplementation
from .right_code import LOCKS, Right
from .verdicts import SubjectResult, printed

_Of: Final = partial(Right, package=__package__.replace("implementations", "libraries.primitives"))
#: A lock's holder, where only it may release.
OWNER: Final = "Lock: release by another task, acquire by the holder"
#: The sentences that leave a loop in another language free, and a group of a class of its own.
LOOP: Final = """
Freedom: "The event loop is the core of every asyncio application": its documentation names methods, and
allows other implementations ("asyncio ships with two different event loop implementations").
"""
GROUP: Final = """
Freedom: "An asynchronous context manager holding a group of tasks" (Task Groups) leaves the rest of
its class free.
"""


def _exported(
    name: str,
    differs: str,
    module: str,
    free: str,
    *also: str,
    missing: tuple[str, ...] = (),
    bugs: tuple[str, ...] = (),
) -> Right:
    """Return the row of a name of asyncio's that a library has itself, so that nothing is adapted.

    Parameters:
        also: further names of the module that belong to it.
    """
    code = f"from {module} import {', '.join((name, *also))}\n"
    text = AnyImplementation(f"right/libraries/{module}", differs, (name,), text=code)
    return Right(module, (name,), differs, module, missing, bugs, free=free, text=text)


PRIMITIVES: Final = (
    _Of(
        "anyio",
        LOCKS,
        "owner-checked, direct hand-over, a turn at each acquire",
        "anyio",
        missing=("Event.clear", OWNER, "Condition: with a given lock"),
        bugs=(
            "condition_cancels: a waiter that is cancelled while it acquires the lock again loses its notification "
            "and ends with RuntimeError; anyio's own cancel scopes do not cancel there",
            "lock_release: a callback, which runs in no task, may release a lock that is not held",
        ),
    ),
    _Of("anyio_limiter", ("BoundedSemaphore",), "borrowers, a turn at each acquire", "anyio"),
    _Of(
        "anyio_channel",
        ("Queue",),
        "an item is handed to the receiver that waits",
        "anyio",
        missing=tuple(f"Queue.{name}" for name in ("join", "task_done", "shutdown")),
        bugs=(
            "queue_get_cancels: an item that was handed to a getter is lost with its native cancel",
            "queue_put_cancels: a send that is cancelled natively has delivered its item",
        ),
    ),
    _Of("aiorwlock", ("Lock",), "owner-checked, reentrant", "aiorwlock", missing=(OWNER,)),
    _Of(
        "aiologic",
        (*LOCKS, "Queue"),
        "owner-checked, for threads too",
        "aiologic",
        missing=(
            OWNER,
            "Condition: with a given lock",
            *(f"Queue.{name}" for name in ("join", "task_done", "shutdown", "put_nowait", "get_nowait")),
        ),
        bugs=(
            "wait: a waiter that is cancelled twice while it acquires the lock again ends without it, so "
            "the end of `async with` raises RuntimeError",
        ),
    ),
    _exported(
        "TaskGroup",
        "background tasks",
        "quattro",
        f"Difference: it can have background tasks, and a limit for those that run at once.{GROUP}",
    ),
    _exported(
        "TaskGroup",
        "names, a context variable",
        "aiotools",
        f"Difference: it has a name, and a context variable says which group a task is in.{GROUP}",
        bugs=(
            "group_raises_a_group: the group of ordinary errors is no ExceptionGroup, so `except Exception` does not "
            "catch it",
        ),
    ),
    _exported(
        "Queue",
        "shutdown before 3.13",
        "backports.asyncio.queues",
        "Difference: before 3.13 it derives from asyncio's class; since then it is asyncio's.\n"
        "Freedom: none is needed; it does as asyncio does.",
        "QueueShutDown",
    ),
    _exported(
        "new_event_loop",
        "a loop in C",
        "uvloop",
        f"Difference: the loop and its handles are in C over libuv, and its clock counts milliseconds.{LOOP}",
        bugs=(
            "eager_tasks: create_task passes eager_start=None to the task factory, which the eager one of 3.13.0 "
            "refuses with TypeError",
        ),
    ),
    _exported(
        "new_event_loop",
        "a loop in Rust",
        "rloop",
        f"Difference: the loop and its handles are in Rust.{LOOP}",
        missing=("Handle.cancelled",),
        bugs=(
            "loop_keeps_the_order: a handle of call_soon with one argument is called although it was cancelled",
            "set_exception_handler: the handler is called without the loop",
            "run_until_complete: it does not return after SystemExit",
            "close: the sockets of the loop stay open",
            "steady: in some runs hundreds of programs fail that pass in others, after those of its other bugs",
        ),
    ),
    _Of("async_solipsism", ("new_event_loop",), "virtual time", "async_solipsism"),
    _Of(
        "culsans",
        ("Queue",),
        "for threads too, join looks again",
        "culsans",
        missing=("Queue.shutdown",),
    ),
    _Of(
        "janus",
        ("Queue",),
        "for threads too, a wake-up takes a turn more, join looks again",
        "janus",
        missing=("Queue.shutdown",),
        bugs=(
            ()
            if sys.version_info >= (3, 13)
            else ("queue_put_cancels: its Condition is asyncio's, which loses notifications (gh-112202)",)
        ),
    ),
    _exported(
        "timeout",
        "a class of its own",
        "async_timeout",
        """Difference: a context manager of a class of its own, which derives from asyncio.Timeout and has more methods.
Freedom: "Return an asynchronous context manager that can be used to limit the amount of time spent
waiting on something" (timeout) does not name its class.
""",
        "timeout_at",
    ),
    _Of(
        "tornado",
        ("Lock", "Semaphore", "BoundedSemaphore", "Event", "Queue"),
        "futures that are resolved within release and put",
        "tornado",
        missing=("Queue.shutdown",),
        bugs=(
            "lock_cancels: a waiter that is woken and cancelled in one turn keeps the lock",
            "semaphore_cancels: a waiter that is woken and cancelled in one turn keeps the permit",
            "queue_get_cancels: an item that was given to a getter is lost with its cancel",
            "queue_put_cancels: a put that was cancelled has added its item",
        ),
    ),
)

#: The document.
TABLE: Final = Path(__file__).parents[1] / "libraries" / "LIBRARIES.md"
_HEAD: Final = """# Libraries held to asyncio's rules

Written by `make subjects` on Python {python}.  Each row is one name of a library in the place of asyncio's: the numbers
of rules that are held, differ in timing (the documentation leaves it free) or are not judged, and are not exercised,
and the findings.
*verified*: the plain test of the finding fails with the library and passes with asyncio.

| library | name | held | timing | not exercised | findings |
|---|---|---|---|---|---|
"""


def table(results: Sequence[SubjectResult]) -> str:
    """Return the table of the libraries as a document."""
    by_name = {result.subject: result for result in results}
    rows, bugs = [], []
    for right in PRIMITIVES:
        named = f"{right.library} {version(str(right.library))}"
        for name, one in zip(right.names, right.implementations(), strict=True):
            result = by_name[one.name]
            numbers = [
                str(sum(result.states.get(state.value, 0) for state in states))
                for states in ((State.HELD,), (State.TIMING, State.OPEN), (State.ABSENT,))
            ]
            found = "<br>".join(result.broken) or result.error or "none"
            rows.append(f"| {named} | {name} | {' | '.join(numbers)} | {found} |")
        bugs += [f"- {named}: {bug}" for bug in right.bugs]
    head = _HEAD.format(python="{}.{}".format(*sys.version_info))
    return head + "\n".join(rows) + "\n\nKnown bugs:\n\n" + "\n".join(bugs) + "\n"


def main(names: Sequence[str]) -> int:
    """Print the result of each primitive, and write the table."""
    every = [one for right in PRIMITIVES for one in right.implementations()]
    results = printed([one for one in every if not names or any(name in one.name for name in names)])
    if not names:
        TABLE.write_text(table(results), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
