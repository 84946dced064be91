"""Stack frames: those that belong to the program, which reports and tracebacks show, and those of a suspended task.

Library frames are those of impl, of the standard library and of installed packages.  impl's own programs (the crawler,
its server, the ladder) count as programs: their lines are worth showing, a queue's are not.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from functools import cache
from inspect import CO_OPTIMIZED
from types import AsyncGeneratorType, CoroutineType, FrameType, GeneratorType
from typing import Any, Final

from ..tasks.generators import as_coroutine

# Any in this file: tasks of any runtime, their coroutines, and values of the program.

_IMPL: Final = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_PROGRAMS: Final = tuple(os.path.join(_IMPL, part, "") for part in ("crawl", "web", "ladder"))
_STDLIB: Final = os.path.join(os.path.dirname(os.path.abspath(os.__file__)), "")
#: Folders of installed packages have these names (documentation of the module site; the second is Debian's).
_INSTALLED: Final = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
#: Modules that are part of the interpreter have no lines to show.
FROZEN: Final = "<frozen "
_WITH_FRAMES: Final = (CoroutineType, GeneratorType, AsyncGeneratorType)
#: It drives a generator by `send`, which hides it from `cr_await`.
_DRIVER: Final = as_coroutine.__code__


def is_installed(filename: str) -> bool:
    """Whether a source file belongs to an installed package."""
    return any(folder in filename for folder in _INSTALLED)


def is_library(filename: str) -> bool:
    """Whether a source file is neither the program's nor that of an installed package: impl's, or Python's own."""
    if filename.startswith(_PROGRAMS):
        return False
    if filename.startswith((_IMPL, FROZEN)):
        return True
    return filename.startswith(_STDLIB) and not is_installed(filename)


@cache
def is_users(filename: str | None) -> bool:
    """Whether a source file is the user's: of no library, and of no installed package."""
    return filename is not None and not is_library(filename) and not is_installed(filename)


def shown_file(filename: str) -> str:
    """A source file as seen from the current directory; a cell of a notebook, which is no file, as IPython names it.

    "" is that of a function without a file.
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    named = getattr(getattr(shell, "compile", None), "format_code_name", lambda filename: None)(filename)
    return " ".join(named) if named else filename and os.path.relpath(filename)


def variables_of(frame: FrameType) -> dict[str, Any]:
    """A copy of the local variables of a frame.

    Before Python 3.13 the frame of a function keeps the dictionary that `f_locals` returns, so its values live on when
    the function deletes its variables; this leaves none in it.
    """
    shown = frame.f_locals
    values = dict(shown)
    if frame.f_code.co_flags & CO_OPTIMIZED and type(shown) is dict:
        shown.clear()
    return values


def programs(frames: Sequence[FrameType]) -> int | None:
    """The index of the innermost of `frames` (outermost first) that is the program's.

    Where the program has no frame, that of an installed package counts: it may be the program.  None: all frames are
    library frames.
    """
    theirs = [n for n, frame in enumerate(frames) if not is_library(frame.f_code.co_filename)]
    own = [n for n in theirs if not is_installed(frames[n].f_code.co_filename)]
    return max(own or theirs, default=None)


def place(frame: FrameType) -> str:
    """`at FILE:LINE in FUNCTION`, with the file as seen from the current directory."""
    code = frame.f_code
    line = f":{frame.f_lineno}" if frame.f_lineno else ""  # compiled code may have none
    return f"at {shown_file(code.co_filename)}{line} in {code.co_qualname}"


# --- of a suspended task -------------------------------------------------------------------------------------


def coro_of(task: Any) -> Any:
    """Its coroutine."""
    return task.get_coro() if hasattr(task, "get_coro") else task.coro


def frames_of(task: Any) -> list[FrameType]:
    """The frames of a suspended task or thread, outermost first; none: it has ended, or its coroutine shows none."""
    if hasattr(task, "suspended_frames"):  # a thread of threads/thread.py
        return list(task.suspended_frames())
    return [frame for frame in map(frame_of, parts(coro_of(task))) if frame is not None]


def place_of(frames: Sequence[FrameType]) -> tuple[str, int]:
    """The file and the line of the program at which a task is suspended; "" and 0: it has not begun, or has ended."""
    number = programs(frames)
    if number is None or frames[0].f_lasti < 0 or not _begun(frames[0]):
        return "", 0
    return frames[number].f_code.co_filename, frames[number].f_lineno or 0  # compiled code may have no line


def _begun(frame: FrameType) -> bool:
    return frame.f_lineno != frame.f_code.co_firstlineno


def parts(coro: Any) -> Iterator[Any]:
    """The coroutines and generators of a parked task, from its own down to the one that waits."""
    seen = set()  # objects of the program's classes may refer to each other
    while coro is not None and id(coro) not in seen:
        seen.add(id(coro))
        frame = frame_of(coro)
        if frame is not None:
            yield coro
            if frame.f_code is _DRIVER:
                here = frame.f_locals
                steps, got = here["steps"], here.get("got")
                if isinstance(here, dict):
                    here.clear()  # before 3.13 the frame keeps this copy, and so the objects in it
                yield from parts(steps)
                yield from parts(got)
                return
        coro = _awaited(coro)


def frame_of(coro: Any) -> FrameType | None:
    """Its frame; None: it has ended, or has none."""
    frames = (getattr(coro, name, None) for name in ("cr_frame", "gi_frame", "ag_frame"))
    return next(filter(None, frames), None)


def _awaited(coro: Any) -> Any:
    """The coroutine or generator that this one waits for; None: it waits for none.

    An object without a frame is a coroutine of a class (`collections.abc.Coroutine`), an iterator of `__await__`, or
    the result of `asend`: it drives the coroutine that it refers to.
    """
    for name in ("cr_await", "gi_yieldfrom", "ag_await"):
        if (inner := getattr(coro, name, None)) is not None:
            return inner
    if frame_of(coro) is not None or type(coro).__name__ == "FutureIter":
        return None
    things = [*attributes(coro).values(), *gc.get_referents(coro)]
    return next((each for each in things if each is not coro and _drives(each)), None)


def _drives(thing: Any) -> bool:
    """Whether it is a coroutine or generator that has not ended, or an object that may drive one."""
    if isinstance(thing, _WITH_FRAMES):
        return frame_of(thing) is not None
    return issubclass(type(thing), Coroutine)


def attributes(thing: object) -> Mapping[str, Any]:
    """The attributes that an object has in its dictionary and slots; no code of the program runs."""
    try:
        found = dict(object.__getattribute__(thing, "__dict__"))
    except AttributeError:
        found = {}
    for kind in type(thing).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            descriptor = kind.__dict__.get(slot)
            try:
                found[slot] = descriptor.__get__(thing)  # type: ignore[union-attr]  # None has none: as an empty slot
            except (AttributeError, TypeError):
                pass
    return found
