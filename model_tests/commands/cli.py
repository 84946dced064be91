"""`loopspec`: one command; each subcommand loads only the wing that it needs.

The first argument chooses a row of COMMANDS; its module is imported only then, and its `main(argv) -> int` gets the
rest, -h included.  The common handling is here.  pyproject.toml may set defaults of options (project.py).  A missing
extra gives one line with the command that installs it.  Ctrl-C and a closed output end without a traceback, with the
exit status that a shell gives to SIGINT (130) and SIGPIPE (141).  An error that a command does not report itself is one
inside loopspec (70).
"""

import io
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

from . import project
from .supported_versions import too_new
from .table import COMMANDS

#: The package of the three in the wheel; "" in a checkout.
HOME: Final = ".".join((__package__ or "").split(".")[:-2])


def main(argv: Sequence[str] | None = None) -> int:
    """Run `loopspec` with these arguments (None: those of the process); return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.stdout is None:  # it was closed before the start
        print("loopspec: standard output is closed", file=sys.stderr)
        return 2
    # A character that a pipe or terminal does not have is shown escaped.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        try:
            return _dispatch(arguments)
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _discard_output()
        return 141
    except Exception as error:  # a command reports all others itself
        return _internal(" ".join(["loopspec", *arguments[:1]]), error)


def _discard_output() -> None:
    from impl.commands.options import discard_output  # here, because most commands load other packages

    discard_output()


def _internal(command: str, error: Exception) -> int:
    from impl.commands.options import internal_error, is_of_output

    if not (isinstance(error, OSError) and is_of_output(error)):
        return internal_error(command, error)
    _discard_output()
    print(f"loopspec: cannot write the output: {error.strerror}", file=sys.stderr)
    return 2


def _dispatch(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_usage())
        return 0
    if arguments[0] == "--version":
        from importlib.metadata import version  # here, because it reads files

        print(f"loopspec {version('loopspec')}")
        return 0
    name, *rest = arguments
    if name not in COMMANDS:
        print(f"loopspec: unknown command {name!r}; the commands are {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    if newer := too_new():
        print(f"loopspec: {newer}", file=sys.stderr)
    try:
        with project.in_use(HOME):
            return _command(name)(rest)
    except ImportError as error:
        from .missing_library import advice  # here, because it reads files

        if (said := advice(error)) is None:
            raise
        print(f"loopspec {name}: {said}", file=sys.stderr)
        return 2


def _command(name: str) -> Callable[[list[str]], int]:
    """Return the main of a command; if a specification that it imports is not well formed, one that says so."""
    try:
        command: Callable[[list[str]], int] = import_module(f"{HOME}{COMMANDS[name][0]}".removeprefix(".")).main
    except ValueError as error:
        from spec.kit.core import SpecError  # here, because most commands load other packages

        if not isinstance(error, SpecError):
            raise
        said = f"loopspec {name}: {error}"
        return lambda _: print(said, file=sys.stderr) or 2
    return command


def _usage() -> str:
    lines = ["usage: loopspec COMMAND ... | --version", ""]
    lines += [f"  {name:<10}{what}" for name, (_, what) in COMMANDS.items()]
    return "\n".join([*lines, "", "loopspec COMMAND -h describes one."])


if __name__ == "__main__":
    sys.exit(main())
