"""The outcome of a call, a value that it returned or an error that it raised, as an answer of a specification."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Final

import impl

#: The errors of a cancelled call, in every runtime.
CANCELLED: Final = (asyncio.CancelledError, impl.CancelledError)
#: Translates the outcome of a call, a value or `Raised(error)`, into an answer of a specification.
Said = Callable[[object], Hashable]


@dataclass(frozen=True, slots=True)
class Raised:
    """The outcome of a call that raised this error; the outcome of one that returns an error is the error itself."""

    error: BaseException


def raised(outcome: object, *kinds: type[BaseException]) -> bool:
    """Whether the call raised an error of one of these classes."""
    return isinstance(outcome, Raised) and isinstance(outcome.error, kinds)


async def outcome_of(call: Awaitable[object], cancelled: type[BaseException]) -> object:
    """Await a call; return its value, or `Raised` with its error.  `cancelled`: the CancelledError of the runtime."""
    try:
        return await call
    except (Exception, cancelled) as error:
        return Raised(error)


def returned(value: object) -> Hashable:
    """The answer of a call that returned a value: "done" for None, else the value itself.

    A text, an error and a value without a hash become the text "value ...", which no action answers.  So no value that
    a call returns stands for an error that another one raises, or for None.
    """
    if value is None:
        return "done"
    try:
        hash(value)
    except TypeError:
        return f"value {value!r}"
    return f"value {value!r}" if isinstance(value, str | BaseException) else value


def no_word(outcome: object) -> Hashable:
    """The answer for an outcome without a word in the specification: the error itself, or as `returned`."""
    return repr(outcome.error) if isinstance(outcome, Raised) else returned(outcome)


def answer(outcome: object) -> Hashable:
    """The answer by default: as `returned`; "cancelled", or the name of the class of another error that was raised."""
    if not isinstance(outcome, Raised):
        return returned(outcome)
    return "cancelled" if isinstance(outcome.error, CANCELLED) else type(outcome.error).__name__
