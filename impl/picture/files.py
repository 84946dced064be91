"""The options `--html` and `--svg` of commands, and the files that they name."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from ..commands.options import UsageError
from ..commands.outputs import OutputFile
from .page import page
from .scene import Scene
from .svg import TooLong, svg

#: The options: each with the function that makes its file of scenes.
_MAKERS: Final[dict[str, Callable[[Sequence[Scene]], str]]] = {"html": page, "svg": svg}


def add_pictures(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options.

    Parameters:
        what: the picture shows: "the run".
    """
    add, file = parser.add_argument, OutputFile()
    add("--html", type=file, metavar="FILE", help=f"write a page to step through {what}")
    add("--svg", type=file, metavar="FILE", help=f"write an SVG of {what}")


def check_pictures(options: argparse.Namespace) -> bool:
    """Whether one of the options was given.

    Raises:
        UsageError: its file cannot be one: it is found before a long run, not after it.
    """
    given = [name for name in _MAKERS if getattr(options, name) is not None]
    for name in given:
        file = Path(getattr(options, name))
        if file.is_dir():
            raise UsageError(f"--{name}: {file} is a directory; name a file in it")
        if not file.parent.is_dir():
            raise UsageError(f"--{name}: there is no directory {file.parent}; make it first")
    return bool(given)


def write_pictures(options: argparse.Namespace, scenes: Sequence[Scene]) -> list[str]:
    """Write the files that the options name; return their names.

    Raises:
        UsageError: a file cannot be written, or the scenes are too long for a document.
    """
    written = []
    for name, made in _MAKERS.items():
        file = getattr(options, name)
        try:
            if file is not None:
                Path(file).write_text(made(scenes), encoding="utf-8")
                written.append(file)
        except (OSError, TooLong) as error:
            raise UsageError(f"--{name}: {error}") from None
    return written
