"""Errors inside loopspec, kept apart from those of the program that is explored.

The recorder and the oracles run within the program's calls.  An error of theirs must not reach the program, which would
fail or catch it: they `hold` it, and it leaves the `boundary` of the search.
"""

from __future__ import annotations

import linecache
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ...errors import InternalError

#: The files of the recorder; its functions also evaluate the program's expressions; each calls the log by this name.
_RECORDER: Final = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "reduction", "")
_LOG: Final = "log."
_held: list[BaseException] = []


def hold(error: BaseException) -> None:
    """Keep an error inside loopspec until the program's run is over."""
    _held.append(error)


def hold_of_recorder(error: BaseException | None) -> None:
    """Keep an error that a run ended with, if the recorder raised it in the place of the program."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            hold_of_recorder(each)
    if isinstance(error, RecursionError):  # the recorder's functions stand between those that recurse
        return
    trace = None if error is None else error.__traceback__
    while error is not None and trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(_RECORDER) and _LOG in linecache.getline(file, trace.tb_lineno):
            hold(error)
        trace = trace.tb_next


@contextmanager
def boundary(*passing: type[Exception]) -> Iterator[None]:
    """The block makes runs or a report of them.

    Parameters:
        passing: the errors that say something about the program or the call.

    Raises:
        InternalError: another error left the block, or one was held.
    """
    _held.clear()
    try:
        yield
    except passing:
        if not _held:
            raise
    except InternalError as error:
        if isinstance(error.__cause__, passing):  # the source of the choices has raised it within the loop
            raise error.__cause__ from None
        raise
    except Exception as error:
        raise InternalError.of(error) from error
    if _held:
        raise InternalError.of(_held[0]) from _held[0]
