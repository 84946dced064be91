"""The player of the child: an exception of a class of the subject's own counts as its base class.

The documentation says which errors are raised; an instance of a class that derives from such an error is one.  Errors
that a subject makes in its own code by mistake, such as an AttributeError, are noted with their place.
"""

import asyncio
import builtins
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import impl

from ..programs.enumeration import Program
from ..programs.vectors.player import Player
from .stepping import Stepping
from .subjects.members import codes
from .subjects.subject import brought

#: Errors that Python raises because a thing does not exist, or is called wrongly.
MISTAKES: Final = (AttributeError, NameError, ImportError, TypeError)
#: Code in these folders is not the subject's.
FOLDERS: Final = (
    str(Path(asyncio.__file__).parent),
    str(Path(impl.__file__).parent),
    str(Path(__file__).parents[1]),
)


class DocumentedPlayer(Stepping):
    """A player that names exceptions by their documented classes, and adds those of the subject to `mistakes`."""

    def __init__(self, program: Program, runtime: Any, mistakes: list[str]) -> None:  # Any: as in Player
        super().__init__(program, runtime)
        self.mistakes = mistakes

    def show(self, value: Any) -> str:
        shown: str = super().show(value)
        if isinstance(value, BaseException):
            if isinstance(value, MISTAKES) and (place := made_at(value)) and place not in self.mistakes:
                self.mistakes.append(place)
            return documented(type(value)) + shown.removeprefix(type(value).__name__)
        return shown


def documented(kind: type[BaseException]) -> str:
    """Return the name of the first class of an exception that asyncio or Python has, or the program has made."""
    for cls in kind.__mro__:
        of_name = [getattr(space, cls.__name__, None) for space in (asyncio, builtins, impl)]
        # That of threading with the name of asyncio's BrokenBarrierError is another; that of a subject is its own.
        foreign = cls not in of_name and cls.__module__.partition(".")[0] in sys.stdlib_module_names
        if (any(of_name) and not foreign) or cls.__module__ == Player.__module__:
            return cls.__name__
    raise AssertionError("each exception is a BaseException")


def made_at(error: BaseException) -> str:
    """Return the class of an error and its place in the subject's code, or "" if it is raised elsewhere."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames or frames[-1].filename.startswith(FOLDERS) or not frames[-1].filename.endswith(".py"):
        return ""
    return f"{type(error).__name__} in {Path(frames[-1].filename).name}:{frames[-1].lineno}"


def in_subject(error: BaseException, subject: ModuleType) -> bool:
    """Return whether code of the subject was running when an error was raised, rather than Python's or loopspec's."""
    files = {code.co_filename for thing in brought(subject).values() for code in codes(thing)}
    own = {getattr(subject, "__file__", ""), *(file for file in files if not file.startswith(FOLDERS[:2]))}
    return any(frame.filename in own for frame in traceback.extract_tb(error.__traceback__))
