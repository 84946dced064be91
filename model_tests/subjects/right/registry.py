"""The list of right subjects."""

from __future__ import annotations

import ast
import asyncio
import importlib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Final

FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Right:
    """A right subject: a module with some of asyncio's names."""

    #: The module, in its package.
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
    package: str = __package__

    @property
    def file(self) -> Path:
        """The file, as `loopspec conform` takes it."""
        [folder] = importlib.import_module(self.package).__path__
        return Path(folder, *self.module.split(".")).with_suffix(".py")

    def subjects(self) -> list[str]:
        """The subjects `FILE.py:CLASS`, one for each name; the file itself if that is whole, or brings a loop."""
        if self.whole:
            return [str(self.file)]
        return [f"{self.file}:{name}" if name[0].isupper() else str(self.file) for name in self.names]

    def load(self) -> ModuleType:
        """Import the module.  Raises ImportError if its library is not installed."""
        return importlib.import_module(f".{self.module}", self.package)


def right_subjects() -> list[Right]:
    """Return the right subjects of our own: the kinds first, then other designs."""
    return [*OWN, *map(design, sorted(FOLDER.glob("designs/*/[a-z]*.py")))]


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
