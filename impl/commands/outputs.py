"""The files that commands write: no input is overwritten, and no Python file that loopspec has not written itself.

An option that names such a file has an `OutputFile` as its type.  The parser (options.py) compares its file with the
other arguments, so both are refused before anything runs.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

#: The first line of a Python file that loopspec writes.
_MARK: Final = "# Written by loopspec, which may overwrite it.\n"
_SUFFIXES: Final = (".py", ".pyi", ".pyw")
_INTERPRETER: Final = re.compile(rb"#!.*python")


class OutputFile:
    """An argparse type: the name of a file that the command writes.

    Parameters:
        of: the destination of the input that the file may replace; "": there is none.
    """

    def __init__(self, of: str = "") -> None:
        self.of = of

    def __call__(self, text: str) -> str:
        try:
            check_source(Path(text))
        except FileExistsError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
        return text


def check_source(file: Path) -> None:
    """Raise FileExistsError if the file is Python source that loopspec has not written; links are followed."""
    try:
        with file.open("rb") as text:
            first = text.readline(len(_MARK) + 1)
    except (OSError, ValueError):  # it does not exist, or cannot be written: the command says so later
        return
    python = {file.suffix.lower(), file.resolve().suffix.lower()}.intersection(_SUFFIXES)
    if (python or _INTERPRETER.match(first)) and first.replace(b"\r\n", b"\n") != _MARK.encode():
        raise FileExistsError(
            f"{file} is a Python file that loopspec has not written, and is not overwritten: name another file"
        )


def write_script(file: Path, text: str) -> None:
    """Write a Python file, which loopspec may overwrite later.

    Raises:
        OSError: it cannot be written, or is one that loopspec has not written.
    """
    check_source(file)
    file.write_text(_MARK + text, encoding="utf-8")


def clash(options: argparse.Namespace, actions: Iterable[argparse.Action]) -> str:
    """The error of an output that is also another argument, in one line; "": there is none."""
    given = vars(options)
    for action in actions:
        file = given.get(action.dest)
        if isinstance(action.type, OutputFile) and file is not None:
            for name, value in given.items():
                if name not in (action.dest, action.type.of) and isinstance(value, str) and _is_same(file, value):
                    return f"{action.option_strings[0]}: {file} is also {value!r} of this command: name another file"
    return ""


def _is_same(file: str, argument: str) -> bool:
    """Whether an argument, which may be FILE:FUNCTION, names a file."""
    for other in (argument, argument.rpartition(":")[0]):
        with suppress(OSError, ValueError):  # one of them does not exist
            if os.path.samefile(file, other):
                return True
    return file == argument
