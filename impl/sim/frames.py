"""Which stack frames belong to the program: reports and tracebacks show those and skip library frames.

Library frames are those of impl, of the standard library and of installed packages.  impl's own programs (the crawler,
its server, the ladder) count as programs: their lines are worth showing, a queue's are not.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from inspect import CO_OPTIMIZED
from types import FrameType
from typing import Any, Final

_IMPL: Final = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "")
_PROGRAMS: Final = tuple(os.path.join(_IMPL, part, "") for part in ("crawl", "web", "ladder"))
_STDLIB: Final = os.path.join(os.path.dirname(os.path.abspath(os.__file__)), "")
#: Folders of installed packages have these names (documentation of the module site; the second is Debian's).
_INSTALLED: Final = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
#: Modules that are part of the interpreter have no lines to show.
FROZEN: Final = "<frozen "


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


def variables_of(frame: FrameType) -> dict[str, Any]:  # Any: values of the program
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
    return f"at {os.path.relpath(code.co_filename)}:{frame.f_lineno} in {code.co_qualname}"
