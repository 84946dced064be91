"""Iterators and context managers that record whenever the program uses them, in the place of those that do not.

A helper returns the value itself where its own code records.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial
from types import GeneratorType
from typing import Final, Generic, TypeVar

from .arguments import begins
from .containers import iterate
from .footprint import log
from .kinds import PLAIN, Value, is_manager, is_of_the_loop, is_own, is_transparent

T = TypeVar("T")


def each(value: Value) -> Value:
    """A value that is iterated over within this step."""
    iterate(value)
    if type(value) is GeneratorType:
        begins(value)
    return value


class _Steps(Generic[T]):
    """An iterator that records at every item, because the loop waits between them."""

    __slots__ = ("_iterator", "_value")

    def __init__(self, value: Value) -> None:
        self._iterator: Iterator[T] = iter(value)
        # One reference to a generator: it is not shared.
        self._value = None if self._iterator is value else value

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        iterate(self._iterator if self._value is None else self._value)
        return next(self._iterator)


def steps(value: Value) -> Value:
    """A value that is iterated over in several steps."""
    if type(value) in PLAIN or type(value) is tuple:
        return value
    return _Steps(value)


def returned(value: Value) -> Value:
    """The iterator that a special method returns: its items are taken by code that may record nothing."""
    known = is_own(value) or is_of_the_loop(type(value).__module__) or type(value).__name__ in _RECORDING
    return value if known else _Steps(value)


#: Iterators that lead to code of the program, which records, or is seen by drive.frames.
_RECORDING: Final = frozenset({"generator", "coroutine_wrapper"})


def each_later(value: Value) -> AsyncIterator[Value]:
    """A value of `async for`."""
    known = is_own(value) and is_transparent(type(value))
    result: AsyncIterator[Value] = value if known or is_of_the_loop(type(value).__module__) else _LaterSteps(value)
    return result


class _LaterSteps:
    """An asynchronous iterator that records at every item."""

    __slots__ = ("_iterator", "_value")

    def __init__(self, value: Value) -> None:
        self._value = value

    def __aiter__(self) -> _LaterSteps:
        self._iterator = aiter(self._value)
        return self

    def __anext__(self) -> Value:
        iterate(self._value)
        return anext(self._iterator)


def entered(value: Value) -> Value:
    """The operand of `with` and `async with`."""
    own = is_own(value) and is_transparent(type(value))
    return value if own or is_of_the_loop(type(value).__module__) or is_manager(value) else _Foreign(value)


class _Foreign:
    """A context manager that is not understood, when it is entered and when it is left."""

    __slots__ = ("_value",)

    def __init__(self, value: Value) -> None:
        self._value = value

    def _method(self, name: str) -> Value:
        log.not_understood()
        return partial(getattr(type(self._value), name), self._value)

    def __enter__(self) -> Value:
        return self._method("__enter__")()

    def __exit__(self, *error: Value) -> Value:
        return self._method("__exit__")(*error)

    def __aenter__(self) -> Value:
        return self._method("__aenter__")()

    def __aexit__(self, *error: Value) -> Value:
        return self._method("__aexit__")(*error)
