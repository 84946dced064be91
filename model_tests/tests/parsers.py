"""The parsers of all commands, as they are when they parse."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NoReturn

import impl.commands.options
import spec.commands.target

from ..commands.cli import HOME
from ..commands.table import COMMANDS, SUBCOMMANDS
from .fixtures import Patch


class _Parses(BaseException):
    """Raised in the place of parsing."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parser = parser


def _stop(parser: argparse.ArgumentParser, *arguments: Any) -> NoReturn:
    raise _Parses(parser)


def parsers(monkeypatch: Patch) -> Iterator[argparse.ArgumentParser]:
    """Yield the parser of each command, and of each command within one."""
    for made in (impl.commands.options.Parser, spec.commands.target.Parser):
        monkeypatch.setattr(made, "parse", _stop)
    for name, (module, _) in COMMANDS.items():
        main = import_module(f"{HOME}{module}".removeprefix(".")).main
        for arguments in ([], *([within] for within in SUBCOMMANDS.get(name, ()))):
            try:
                main(arguments)
            except _Parses as stopped:
                yield stopped.parser
