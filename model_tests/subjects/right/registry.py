"""The list of right subjects."""

from __future__ import annotations

import ast
import asyncio
import importlib
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Right:
    """A right subject: a module with some of asyncio's names."""

    #: The module, in this package.
    module: str
    #: The names of asyncio that it brings.
    names: tuple[str, ...]
    #: Its difference, in one clause.
    differs: str
    #: The module that it adapts, if any; without that it cannot be imported.
    library: str | None = None
    #: Methods that are not there or not of asyncio's interface, by `Name.method` or `Name: remark`.
    missing: tuple[str, ...] = ()
    #: Names with an order of waiters that the documentation leaves free, but CPython's code and tests do not.
    unordered: tuple[str, ...] = ()
    #: Bugs of the library, as `subject of the sentence: text`; the subject is right apart from them.  If the first word
    #: is a program of tests/subjects, that shows the bug.
    bugs: tuple[str, ...] = ()
    #: Whether its names belong together, and are tested as one subject.
    whole: bool = False

    @property
    def file(self) -> Path:
        """The file, as `loopspec conform` takes it."""
        return FOLDER / (self.module.replace(".", "/") + ".py")

    def subjects(self) -> list[str]:
        """The subjects `FILE.py:CLASS`, one for each name; the file itself if that is whole, or brings a loop."""
        if self.whole:
            return [str(self.file)]
        return [f"{self.file}:{name}" if name[0].isupper() else str(self.file) for name in self.names]

    def load(self) -> ModuleType:
        """Import the module.  Raises ImportError if its library is not installed."""
        return importlib.import_module(f".{self.module}", __package__)


def right_subjects() -> list[Right]:
    """Return all right subjects: our own kinds first, then other designs, then those that adapt a library."""
    return [*OWN, *map(design, sorted(FOLDER.glob("designs/*/[a-z]*.py"))), *ADAPTED]


def design(path: Path) -> Right:
    """Return the row of a file in `designs`: its names are those that it defines, its difference its first line."""
    text = ast.parse(path.read_text(encoding="utf-8"))
    defined = (getattr(statement, "name", "") for statement in text.body)
    names = tuple(name for name in defined if hasattr(asyncio, name))
    module = ".".join(path.relative_to(FOLDER).with_suffix("").parts)
    return Right(module, names, (ast.get_docstring(text) or "").partition("\n")[0], whole=True)


LOCKS: Final = ("Lock", "Semaphore", "BoundedSemaphore", "Event", "Condition")

OWN: Final = (
    Right("one_turn_more", (*LOCKS, "Queue"), "a coroutine returns one turn later"),
    Right("callback_wakes", ("Lock", "Semaphore", "Event"), "a waiter is resolved by a callback"),
    Right(
        "hand_over",
        ("Lock", "Semaphore", "BoundedSemaphore", "Queue"),
        "the first waiter becomes the holder at once",
    ),
    Right(
        "owner_checked",
        ("Lock",),
        "only the holder can release",
        missing=("Lock: release by another task, acquire by the holder",),
    ),
    Right(
        "half_queue",
        ("Queue",),
        "half of the methods",
        missing=tuple(
            f"Queue.{name}" for name in ("join", "task_done", "shutdown", "put_nowait", "get_nowait")
        ),
    ),
    Right("own_group", ("TaskGroup",), "the group that is raised is of a subclass"),
    Right("broadcast", ("Event", "Condition"), "every waiter is woken, most wait again"),
    Right("spurious", ("Condition",), "notify ends the wait of every waiter"),
    Right(
        "newest_first",
        ("Event", "Semaphore", "Condition"),
        "the youngest waiter is woken first",
        unordered=("Event", "Semaphore", "Condition"),
    ),
    Right("own_future", ("Future", "Task"), "other texts and names"),
    Right(
        "turn_at_await",
        ("Future",),
        "to await a future that is done takes a turn, against FUT-4, which is settled",
    ),
    Right(
        "stock_asyncio",
        (
            *("Lock", "Semaphore", "BoundedSemaphore", "Event", "Queue"),
            *("TaskGroup", "timeout", "Future", "Task", "new_event_loop"),
        ),
        "asyncio as it is",
    ),
    Right("pure_asyncio", ("Future", "Task"), "asyncio's classes in Python"),
)

#: A lock's holder, where only it may release.
OWNER: Final = "Lock: release by another task, acquire by the holder"

ADAPTED: Final = (
    Right(
        "libraries.on_anyio",
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
    Right("libraries.on_anyio_limiter", ("BoundedSemaphore",), "borrowers, a turn at each acquire", "anyio"),
    Right(
        "libraries.on_anyio_channel",
        ("Queue",),
        "an item is handed to the receiver that waits",
        "anyio",
        missing=tuple(f"Queue.{name}" for name in ("join", "task_done", "shutdown")),
        bugs=(
            "queue_get_cancels: an item that was handed to a getter is lost with its native cancel",
            "queue_put_cancels: a send that is cancelled natively has delivered its item",
        ),
    ),
    Right("libraries.on_aiorwlock", ("Lock",), "owner-checked, reentrant", "aiorwlock", missing=(OWNER,)),
    Right(
        "libraries.on_aiologic",
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
    Right("libraries.on_quattro", ("TaskGroup",), "background tasks", "quattro"),
    Right(
        "libraries.on_aiotools",
        ("TaskGroup",),
        "names, a context variable",
        "aiotools",
        bugs=(
            "group_raises_a_group: the group of ordinary errors is no ExceptionGroup, so `except Exception` does not "
            "catch it",
        ),
    ),
    Right("libraries.on_backports_queues", ("Queue",), "shutdown before 3.13", "backports.asyncio.queues"),
    Right(
        "libraries.on_uvloop",
        ("new_event_loop",),
        "a loop in C",
        "uvloop",
        bugs=(
            "eager_tasks: create_task passes eager_start=None to the task factory, which the eager one of 3.13.0 "
            "refuses with TypeError",
        ),
    ),
    Right(
        "libraries.on_rloop",
        ("new_event_loop",),
        "a loop in Rust",
        "rloop",
        missing=("Handle.cancelled",),
        bugs=(
            "loop_keeps_the_order: a handle of call_soon with one argument is called although it was cancelled",
            "set_exception_handler: the handler is called without the loop",
            "run_until_complete: it does not return after SystemExit",
            "close: the sockets of the loop stay open",
            "steady: in some runs hundreds of programs fail that pass in others, after those of its other bugs",
        ),
    ),
    Right("libraries.on_solipsism", ("new_event_loop",), "virtual time", "async_solipsism"),
    Right(
        "libraries.on_culsans",
        ("Queue",),
        "for threads too, join looks again",
        "culsans",
        missing=("Queue.shutdown",),
    ),
    Right(
        "libraries.on_janus",
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
    Right("libraries.on_async_timeout", ("timeout",), "a class of its own", "async_timeout"),
    Right(
        "libraries.on_tornado",
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
