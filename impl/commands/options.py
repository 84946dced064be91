"""The options of commands: each error in them is one line on standard error, and exit status 2; and lost output."""

from __future__ import annotations

import argparse
import errno
import math
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn

from ..errors import InternalError
from .outputs import clash

#: The most runs of one command.
RUNS_MAX: Final = 10**12
_CLIP = 60
_INTERNAL: Final = 70
_OUTPUT: Final = {errno.ENOSPC, errno.EIO, errno.EPIPE, errno.EFBIG, errno.EBADF, errno.EDQUOT}
if sys.platform == "win32":
    _OUTPUT.add(errno.EINVAL)  # of a pipe without a reader


class UsageError(Exception):
    """An error in the use of a command, in one line."""


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises UsageError, without argparse's usage text, and accepts no abbreviations."""

    #: Parses as argparse does; `loopspec` sets one that takes defaults from pyproject.toml (commands/project.py).
    parse: ClassVar[Callable[..., tuple[Any, list[str]]]] = argparse.ArgumentParser.parse_known_args

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(prog=prog, description=description, allow_abbrev=False)
        #: Options that exclude others: the name, the names of the others, the reason.
        self.excluded: list[tuple[str, Sequence[str], str]] = []

    def exclude(self, name: str, others: Sequence[str], why: str) -> None:
        """Refuse an option together with any of the others; `why` begins the error."""
        self.excluded.append((name, others, why))

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def parse_known_args(  # type: ignore[override]  # argparse has overloads, which say the same
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[Any, list[str]]:
        """As ArgumentParser's, which each way of parsing calls; an output must be no other argument."""
        options, rest = self.parse(args, namespace)
        for name, others, why in self.excluded:
            if is_given(options, name) and (both := [each for each in others if is_given(options, each)]):
                names = ", ".join(f"--{each.replace('_', '-')}" for each in both)
                raise UsageError(f"{why}: leave out {names}")
        if error := clash(options, self._actions):
            raise UsageError(error)
        return options, rest


def is_given(options: argparse.Namespace, name: str) -> bool:
    """Whether an option that has no default was given."""
    return vars(options)[name] is not None and vars(options)[name] is not False


class Number:
    """An argparse type: a number from `least` to `most`, in ASCII digits."""

    def __init__(self, least: int, most: int) -> None:
        self._least, self._most = least, most

    def __call__(self, text: str) -> int:
        digits = text.lstrip("0") or "0"
        short = text.isascii() and text.isdigit() and len(digits) <= len(str(self._most))
        if not (short and self._least <= int(digits) <= self._most):
            raise argparse.ArgumentTypeError(f"a number from {self._least} to {self._most}, not {clipped(text)}")
        return int(digits)


def seconds(text: str) -> float:
    """An argparse type: a number of seconds, more than 0."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 < found < math.inf:
        raise argparse.ArgumentTypeError(f"a number of seconds greater than 0, not {text!r}")
    return found


def internal_error(command: str, error: Exception) -> int:
    """Print an error inside loopspec; return the exit status."""
    traceback.print_exception(error)
    text = str(error) if isinstance(error, InternalError) else str(InternalError.of(error))
    print(
        f"{command}: an error inside loopspec, not of your program: {text.partition(chr(10))[0]}; please report it with"
        " the lines above",
        file=sys.stderr,
    )
    return _INTERNAL


def is_of_output(error: OSError) -> bool:
    """Whether the disk is full, or the reader of the output went away: an error that no command has caused."""
    return error.filename is None and error.errno in _OUTPUT


def discard_output() -> None:
    """Discard all later output, and the output that is still in the buffer.

    Output that cannot be written would fail a second time when the interpreter flushes it at exit.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_output(option: str, file: str, text: str) -> None:
    """Write the file that an option names.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        Path(file).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{option}: cannot write {file}: {error.strerror}") from None


def clipped(text: str) -> str:
    """`text` in quotes, cut to fit on a line."""
    return repr(text if len(text) <= _CLIP else text[:_CLIP] + "...")


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
