"""The outcome of a run in one line; runs with the same one count as equal.

A line is made when the program ends: the values that it shows may change later.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

from ..errors import DeadlockError, LivelockError, UnfinishedError

#: The address of an object, or the identifier of a thread (`<Thread(Thread-1, started 140...)>`, `thread id 140...`).
#: It begins with the space, so that the search, which each run makes, looks at these alone.
ADDRESS: Final = re.compile(
    r" (?:(?:object )?at 0x[0-9a-fA-F]+"
    r"|(?:(?<=, started )|(?<=, started daemon )|(?<=, stopped )|(?<=, stopped daemon )|(?<=thread id ))\d+)"
)
#: The longest outcome, in characters; a longer one ends in its length and its hash, so that it stays distinct.
_LONGEST: Final = 2000


def outcome_of(result: object, error: BaseException | None) -> str:
    """The outcome without addresses: of the error, if there is one, else of the result."""
    if isinstance(error, UnfinishedError):
        return "did not end"  # how far it went depends on its limits
    if error is not None:
        text = described(error)
    elif result is None:
        return "returned None"
    else:
        try:
            text = f"returned {result!r}"
        except Exception as raised:
            text = f"returned a {type(result).__name__}, whose repr raises {type(raised).__name__}"
    text = ADDRESS.sub("", text)
    if len(text) <= _LONGEST:
        return text
    rest = blake2b(text.encode(errors="replace"), digest_size=8).hexdigest()
    return f"{text[:_LONGEST]}... ({len(text)} characters, {rest})"


def is_result(outcome: str) -> bool:
    """Whether an outcome is that of a run that has returned."""
    return outcome.startswith("returned ")


def described(error: BaseException) -> str:
    """The type of an error and the first line of its text, or the errors of a group.

    Of a deadlock all lines; not of a livelock: its other lines depend on how far the run went.
    """
    if isinstance(error, BaseExceptionGroup):
        return f"{type(error).__name__}({', '.join(map(described, error.exceptions))})"
    try:
        text = str(error)
    except Exception as raised:
        text = f"its str raises {type(raised).__name__}"
    lines = text.splitlines()
    whole = isinstance(error, DeadlockError) and not isinstance(error, LivelockError)
    shown = "; ".join(map(str.strip, lines)) if whole else "".join(lines[:1])
    return f"{type(error).__name__}: {shown}" if shown else type(error).__name__


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and those that it leads to: the errors of a group, its cause, its context."""
    left, seen = [error], set[int]()
    while left:
        error = left.pop()
        if error is not None and id(error) not in seen:
            seen.add(id(error))
            yield error
            left += [error.__cause__, error.__context__]
            left += error.exceptions if isinstance(error, BaseExceptionGroup) else ()


def clear_frames(error: BaseException | None) -> None:
    """Clear the variables of the frames in the tracebacks of an error: they hold objects of a run that is over."""
    for each in chain(error):
        traceback.clear_frames(each.__traceback__)
