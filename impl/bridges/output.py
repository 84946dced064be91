"""The output of a program, by print, warnings and logging: it is dropped or recorded.

A handler of `logging` keeps the stream that `sys.stderr` was when it was made, so another stream in that place does not
reach it.  Therefore the streams stay, and their methods are replaced for a while.
"""

from __future__ import annotations

import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

# Any in this file: an object that is sys.stdout, and its methods.

P = ParamSpec("P")
R = TypeVar("R")

#: Receives a text that the program wrote.
_Sink: TypeAlias = Callable[[str], object]
#: The lines of an output that are kept: its last ones, which are next to the failure.
_LINES_MAX: Final = 20


class LastLines:
    """The last lines of an output."""

    def __init__(self) -> None:
        self._last: deque[str] = deque(maxlen=_LINES_MAX)
        self._number = 0
        #: The parts of a line that has not ended.
        self._open: list[str] = []

    def add(self, text: str) -> None:
        """Take the next part of the output."""
        head, newline, rest = text.rpartition("\n")
        if newline:
            lines = "".join([*self._open, head]).split("\n")
            self._number += len(lines)
            self._last.extend(lines)
            self._open.clear()
        self._open.append(rest)

    def ended(self) -> tuple[list[str], int]:
        """The last lines, and the number of those before them, which are left out."""
        if any(self._open):
            self.add("\n")
        return list(self._last), self._number - len(self._last)


def muted() -> AbstractContextManager[None]:
    """Drop the output of the block."""
    return _into(lambda text: None)


@contextmanager
def recorded_output() -> Iterator[LastLines]:
    """Record the output of the block, with the warnings that were given before and would not be given again."""
    made = LastLines()
    with _into(made.add), warnings.catch_warnings():
        yield made


def unflushed() -> AbstractContextManager[None]:
    """Let no flush in the block wait for another thread, as that of a notebook's streams does."""
    return _changed([(stream, {"flush": lambda: None}) for stream in _streams()])


#: The streams with replaced methods now, these methods, and those that replace them.
_now: Final[list[tuple[Any, dict[str, Any], dict[str, Any]]]] = []


def audible(function: Callable[P, R]) -> Callable[P, R]:
    """The same function; within blocks that drop the output, its own is shown."""

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        changes = list(_now)
        for stream, before, _ in reversed(changes):
            _put(stream, before)
        try:
            return function(*args, **kwargs)
        finally:
            for stream, _, after in changes:
                _put(stream, after)

    return called


def _streams() -> list[Any]:
    """The standard streams; one that has no attributes of its own is left as it is, as is one that is closed."""
    found = {id(each): each for each in (sys.stdout, sys.stderr) if hasattr(each, "__dict__") and not each.closed}
    return list(found.values())


@contextmanager
def _into(sink: _Sink) -> Iterator[None]:
    """Send the output of the block to a sink."""

    def write(text: Any) -> int:
        sink(text if isinstance(text, str) else bytes(text).decode("utf-8", "replace"))
        return len(text)

    methods = {"write": write, "flush": lambda: None, "close": lambda: None}
    streams = _streams()
    for stream in streams:
        stream.flush()  # that which was written before is shown
    buffers = [stream.buffer for stream in streams if hasattr(getattr(stream, "buffer", None), "__dict__")]
    with _changed([(each, methods) for each in streams + buffers]):
        yield


@contextmanager
def _changed(changes: list[tuple[Any, dict[str, Any]]]) -> Iterator[None]:
    """Replace methods of objects for the duration."""
    length = len(_now)
    try:
        for thing, after in changes:
            _now.append((thing, {name: vars(thing).get(name) for name in after}, after))
            _put(thing, after)
        yield
    finally:
        while len(_now) > length:
            _put(*_now.pop()[:2])


def _put(thing: Any, methods: dict[str, Any]) -> None:
    """Replace methods of an object; None: by that of its class."""
    for name, method in methods.items():
        if method is not None:
            setattr(thing, name, method)
        elif name in vars(thing):
            delattr(thing, name)
