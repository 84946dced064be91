"""`loopspec`: one command; each subcommand loads only the wing that it needs.

The first argument chooses a row of COMMANDS; its module is imported only then, and its `main(argv) -> int` gets the
rest, -h included.  The common handling is here.  A missing extra gives one line with the command that installs it.
Ctrl-C and a closed output end without a traceback, with the exit status that a shell gives to SIGINT (130) and SIGPIPE
(141).  An error that a command does not report itself is one inside loopspec (70).
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

from .supported import too_new

#: The package of the three in the wheel; "" in a checkout.
HOME: Final = (__package__ or "").removesuffix("model_tests").removesuffix(".")
#: subcommand -> (the module with its main, within HOME, its line in the help)
COMMANDS: Final = {
    "crawl": (
        ".impl.crawl.command",
        "crawl real sites; crawl report FILE: print the report of a crawl again",
    ),
    "simulate": (".impl.crawl.simulate", "crawl a web on the simulated network, reproducibly"),
    "compare": (
        ".model_tests.crawls.compare",
        "run the same crawls on impl, asyncio, aiohttp, trio and an oracle",
    ),
    "conform": (".model_tests.conformance.command", "hold a namespace with asyncio's names to the rules"),
    "run": (
        ".impl.bridges.command",
        "run an asyncio or trio program, unmodified, in virtual time on the simulated network",
    ),
    "explore": (
        ".impl.explore.command",
        "search the schedules of an asyncio or trio program for one that fails",
    ),
    "ladder": (".impl.ladder.command", "fetch the same pages in every way of the source texts, measured"),
    "check": (
        ".model_tests.pictures.check",
        "check the finite instances of the specifications, or of a file of yours",
    ),
    "step": (
        ".spec.commands.step",
        "walk through a model of a specification, or of a file of yours, by hand",
    ),
    "new": (".model_tests.new.command", "write a specification of your own, its adapter and its test"),
    "prove": (".spec.commands.prove", "prove the specifications, or a file of yours, for all sizes, with Z3"),
    "explain": (
        ".model_tests.explain.command",
        "explain a rule, list rules, or print a specification as a document",
    ),
    "order": (".model_tests.order.command", "list the orders of events on asyncio, and what promises each"),
    "vectors": (".model_tests.vectors.command", "write the test vectors as JSON"),
}


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
    from impl.options import discard_output  # here, because most commands load other packages

    discard_output()


def _internal(command: str, error: Exception) -> int:
    from impl.options import internal_error, is_of_output

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
        command: Callable[[list[str]], int] = import_module(
            f"{HOME}{COMMANDS[name][0]}".removeprefix(".")
        ).main
        return command(rest)
    except ImportError as error:
        from .missing import advice  # here, because it reads files

        if (said := advice(error)) is None:
            raise
        print(f"loopspec {name}: {said}", file=sys.stderr)
        return 2


def _usage() -> str:
    lines = ["usage: loopspec COMMAND ... | --version", ""]
    lines += [f"  {name:<10}{what}" for name, (_, what) in COMMANDS.items()]
    return "\n".join([*lines, "", "loopspec COMMAND -h describes one."])


if __name__ == "__main__":
    sys.exit(main())
