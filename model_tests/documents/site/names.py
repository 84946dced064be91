"""Rules by name of asyncio: the public names of its tasks, futures, queues, locks, timeouts and streams.

A rule speaks of a function if its sentence, its source or its own name has the name, and of a method if they have the
name with its class, or if the rule is of the family of the class and they have the name alone.  Names that are also
words of English (`wait`, `sleep`, `timeout`) count with a dot or parentheses only, or by their family.  The names are
those of the Python that makes the site: of a class those of its own methods, not its properties, nor inherited names
or those that it gives its objects when it makes them.
"""

import asyncio
import inspect
import platform
import re
from collections.abc import Iterator
from typing import Final

from ..explain.entries import Entry, entries
from .rules import row

MODULES: Final = (
    asyncio.tasks,
    asyncio.futures,
    asyncio.queues,
    asyncio.locks,
    asyncio.timeouts,
    asyncio.taskgroups,
    asyncio.streams,
)
#: The families of the rules about each name, which then are about its methods, too.
FAMILIES: Final = {
    "Task": "TASK CANCEL HOP CHAIN AWAIT START",
    "create_task": "START",
    "Future": "FUT CANCEL CHAIN AWAIT",
    "wrap_future": "WRAP",
    "ensure_future": "ENSURE",
    "isfuture": "ENSURE",
    "Queue": "QUEUE",
    "LifoQueue": "QUEUE",
    "PriorityQueue": "QUEUE",
    "Lock": "LOCK",
    "Semaphore": "SEM LOCK",
    "BoundedSemaphore": "SEM LOCK",
    "Condition": "COND LOCK",
    "Event": "EVENT",
    "Barrier": "BARRIER",
    "gather": "GATHER",
    "wait": "WAIT",
    "wait_for": "WAITFOR",
    "as_completed": "ASDONE",
    "shield": "SHIELD",
    "sleep": "SLEEP",
    "timeout": "TIMEOUT SCOPE",
    "timeout_at": "TIMEOUT SCOPE",
    "Timeout": "TIMEOUT SCOPE",
    "TaskGroup": "GROUP SCOPE",
}
#: Classes that have only the rules that name them, for the rules of their family are those of another class.
DERIVED: Final = ("LifoQueue", "PriorityQueue", "BoundedSemaphore")
#: Names of functions that are also words of English.
WORDS: Final = ("wait", "sleep", "gather", "timeout", "shield")


def names() -> Iterator[tuple[str, str]]:
    """Yield each public name as module and name: functions, classes, and the methods of each class after it."""
    for module in MODULES:
        for name in sorted(getattr(module, "__all__", ())):
            yield module.__name__, name
            thing = getattr(module, name)
            if inspect.isclass(thing) and not issubclass(thing, BaseException):
                for method in sorted(vars(thing)):
                    if not method.startswith("_") and callable(getattr(thing, method)):
                        yield module.__name__, f"{name}.{method}"


def about(name: str) -> list[Entry]:
    """Return the rules that speak of a name, `gather` or `Queue.get`."""
    owner, _, method = name.partition(".")
    families = FAMILIES.get(owner, "").split()
    if method:
        full = re.compile(rf"\b{owner}\.{method}\b")
        alone = re.compile(rf"\b{method}\b")
        return [
            entry
            for entry in entries().values()
            if full.search(_text(entry)) or (entry.family in families and alone.search(_text(entry)))
        ]
    if inspect.isclass(getattr(asyncio, owner, None)):
        word = re.compile(rf"\b{owner}\b")
        own = () if owner in DERIVED else families[:1]
    else:
        word = re.compile(rf"\basyncio\.{owner}\b|\b{owner}\(" if owner in WORDS else rf"\b{owner}\b")
        own = families
    found = [entry for entry in entries().values() if entry.family in own or word.search(_text(entry))]
    return sorted(found, key=lambda entry: entry.family not in families)


def _text(entry: Entry) -> str:
    return f"{entry.name} {entry.rule.sentence} {entry.rule.source}"


def page() -> Iterator[str]:
    """Yield the lines of the page."""
    yield from ("# Rules by name of asyncio", "")
    yield f"The names are those of Python {platform.python_version()}: tasks, futures, queues, locks, timeouts,"
    yield from ("groups and streams.  A name of which no rule speaks says so.", "")
    module = ""
    for where, name in names():
        if where != module:
            module = where
            yield from (f"## {module}", "")
        yield from (f"### {name}", "")
        found = about(name)
        yield from map(row, found)
        if not found:
            yield "No rule speaks of it."
        yield ""
