"""A traceback shortened to the lines of the program: what its user can change.

Theory of operation.  Lines of this package, of the standard library and of installed packages are left out, in the
error and in all that it came from or holds (`__cause__`, `__context__`, the errors of a group).  Where no line is the
program's, the one that raised stays.  Files are named as seen from the current directory, if they are below it.
"""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Iterator
from traceback import FrameSummary, StackSummary, TracebackException
from typing import Final

_PACKAGE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_FROZEN: Final = "<frozen "  # modules that are part of the interpreter, and have no lines to be shown
_LIBRARIES: Final = (
    _FROZEN,
    os.path.join(_PACKAGE, ""),
    *(os.path.join(sysconfig.get_path(name), "") for name in ("stdlib", "platstdlib")),
)
#: Folders of installed packages have these names (documentation of the module site; the second is Debian's).
_INSTALLED: Final = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


def shortened(error: BaseException) -> str:
    """The traceback of the error, as Python prints it, with the program's lines only; ends with a newline."""
    told = TracebackException.from_exception(error)
    for each in _all(told):
        mine = [frame for frame in each.stack if _is_programs(frame.filename)]
        last = [frame for frame in each.stack[-1:] if not frame.filename.startswith(_FROZEN)]
        each.stack = StackSummary.from_list([_shown(frame) for frame in mine or last])
    return "".join(told.format())


def _is_programs(filename: str) -> bool:
    return not filename.startswith(_LIBRARIES) and not any(name in filename for name in _INSTALLED)


def _shown(frame: FrameSummary) -> FrameSummary:
    here = os.path.join(os.getcwd(), "")
    return FrameSummary(frame.filename.removeprefix(here), frame.lineno, frame.name, line=frame.line)


def _all(told: TracebackException) -> Iterator[TracebackException]:
    """An error, what it came from and what it holds; they are a tree."""
    yield told
    for other in (told.__cause__, told.__context__, *(told.exceptions or ())):
        if other is not None:
            yield from _all(other)
