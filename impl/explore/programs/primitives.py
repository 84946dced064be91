"""Record the calls of locks, events, conditions, queues and tasks: within a block, their methods note each call.

The methods of asyncio's or impl's classes are replaced while a recorded run goes on, and put back afterwards.  A call
is noted when it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final, TypeAlias

from ...sim.kernel import Kernel

#: A primitive or a task, a method of it, or a result.
Theirs: TypeAlias = Any
#: Receives the object, the name of the method, and whether the call has changed the object.
Note: TypeAlias = Callable[[Theirs, str, bool], object]

#: The call of a real server that is noted when a program sends it something.
REQUEST: Final = "request"

#: Class, method, the name under which a call is noted, and whether it changes its object.
_METHODS: Final = (
    ("Lock", "release", "release", True),
    ("Semaphore", "release", "release", True),
    ("Event", "set", "set", True),
    ("Event", "clear", "clear", True),
    ("Condition", "notify", "notify", True),
    ("Queue", "put_nowait", "put", True),
    ("Queue", "get_nowait", "get", True),
    ("Queue", "task_done", "task_done", True),
    ("Lock", "locked", "locked", False),
    ("Semaphore", "locked", "locked", False),
    ("Event", "is_set", "is_set", False),
    ("Queue", "empty", "empty", False),
    ("Queue", "full", "full", False),
    ("Queue", "qsize", "qsize", False),
)
#: Coroutine methods: class, method, and whether it changes its object.  `Queue.get` and `put` call those above.
_COROUTINES: Final = (
    ("Lock", "acquire", True),
    ("Semaphore", "acquire", True),
    ("Event", "wait", False),
    ("Condition", "wait", False),
    ("Queue", "join", False),
)
_CLASSES: Final = ("Lock", "Semaphore", "Event", "Condition", "Queue")
#: The flag of a type that lets no attribute be set (Py_TPFLAGS_IMMUTABLETYPE).
_IMMUTABLE: Final = 1 << 8


@contextmanager
def noting(names: Theirs, task_class: type, reporter: tuple[type, str], note: Note) -> Iterator[None]:
    """Note calls of the primitives in `names`, a module with asyncio's names, their `create`, and that of tasks,
    `cancel` of tasks, and each `timer` that is set.

    Parameters:
        reporter: the class of the loop, and its method for errors that nothing handles: each is noted as a `report`.
    """
    replaced: list[tuple[type, str, Theirs]] = []

    def replace(cls: type, name: str, make: Callable[..., Theirs], shown: str, changes: bool) -> None:
        cls = next((each for each in cls.__mro__ if name in vars(each) and not each.__flags__ & _IMMUTABLE), cls)
        original = vars(cls).get(name)
        replaced.append((cls, name, original))
        method = getattr(cls, name)
        setattr(cls, name, wraps(method)(make(method, note, shown, changes)))

    try:
        for kind, name, shown, changes in _METHODS:
            replace(getattr(names, kind), name, _function, shown, changes)
        for kind, name, changes in _COROUTINES:
            replace(getattr(names, kind), name, _coroutine, name, changes)
        for cls in [task_class, *(getattr(names, kind) for kind in _CLASSES)]:
            replace(cls, "__init__", _function, "create", True)
        replace(task_class, "cancel", _function, "cancel", True)
        replace(*reporter, _report, "report", False)
        replace(Kernel, "timer", _timer, "timer", False)
        yield
    finally:
        for cls, name, original in reversed(replaced):
            if original is None:
                delattr(cls, name)
            else:
                setattr(cls, name, original)


def _function(original: Theirs, note: Note, shown: str, changes: bool) -> Theirs:
    def method(self: Theirs, *args: Theirs, **more: Theirs) -> Theirs:
        result = original(self, *args, **more)
        note(self, shown, changes)
        return result

    return method


def _report(original: Theirs, note: Note, shown: str, changes: bool) -> Theirs:
    def method(self: Theirs, what: dict[str, Theirs]) -> None:
        if what.get("exception") is not None:
            note(what["exception"], shown, changes)
        original(self, what)

    return method


def _timer(original: Theirs, note: Note, shown: str, changes: bool) -> Theirs:
    def method(self: Theirs, when: int, timer: Theirs) -> None:
        note(timer, shown, changes)
        original(self, when, timer)

    return method


def _coroutine(original: Theirs, note: Note, shown: str, changes: bool) -> Theirs:
    async def method(self: Theirs, *args: Theirs, **more: Theirs) -> Theirs:
        result = await original(self, *args, **more)
        note(self, shown, changes)
        return result

    return method
