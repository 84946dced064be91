"""`loopspec run FILE:FUNCTION`: an asyncio program, unmodified, in virtual time on the simulated network.

The file is imported as a module of its own, with its directory first on the path; the function takes no parameters and
returns the coroutine.  The command makes one run, of a seed or of a token.  At its end it prints the virtual time, the
events, the digest and the token.  If the program raises or deadlocks, these lines go to standard error, after the
deadlock report or the traceback.  The traceback has the program's own lines only (user_traceback.py).
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from ..errors import DeadlockError
from ..options import Number, Parser, UsageError, clipped
from ..sim.run import SEED_MAX, Recipe, Run
from ..sim.token import TokenError
from .asyncio.run import KIND, simulate
from .network import Setting
from .user_traceback import shortened

# Any in this file: the coroutine of the user's function, and its result.

_USAGE: Final = 2
#: The module name of the file; its own name could be that of another module.
_NAME: Final = "loopspec_program"


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status: 0, 1 when the program raises or deadlocks, 2 for bad usage."""
    parser = Parser(
        "loopspec run", "Run an unmodified asyncio program in virtual time, on the simulated network."
    )
    parser.add_argument(
        "program",
        nargs="?",
        default="",
        metavar="FILE:FUNCTION",
        help="a file, and a coroutine function in it",
    )  # not required by the parser, so that an unknown option is reported first
    parser.add_argument("--seed", type=Number(0, SEED_MAX), metavar="N", help="seed of all choices (0)")
    parser.add_argument(
        "--order", choices=("fifo", "any"), help="which ready task runs next: asyncio's order, or any (fifo)"
    )
    parser.add_argument(
        "--token", metavar="T", help="repeat the run of this token, instead of a seed and an order"
    )
    try:
        options = parser.parse_args(argv)
        if options.token is not None and (options.seed is not None or options.order is not None):
            raise UsageError("--token brings the seed and the order of the run; leave out --seed and --order")
        _check(options.token)
        program = _program(options.program)
    except UsageError as error:
        print(f"loopspec run: {error}", file=sys.stderr)
        return _USAGE
    if program is None:
        return 1
    try:
        run = simulate(program, seed=options.seed or 0, order=options.order or "fifo", token=options.token)
        return _report(run)
    except TokenError as error:  # the program has changed since
        if error.__cause__ is not None:
            _tell(error.__cause__)
        print(f"loopspec run: {error}", file=sys.stderr)
        return 1


def _check(token: str | None) -> None:
    """Check a token before anything is imported.

    Raises:
        UsageError: it is malformed, or is of another network.
    """
    try:
        Recipe.of(KIND, Setting(), 0, token)
    except TokenError as error:
        raise UsageError(f"--token: {error}") from None


def _program(what: str) -> Callable[[], Coroutine[Any, Any, Any]] | None:
    """The function that `what` names; None: the import raised, and its traceback was printed.

    Raises:
        UsageError: there is no such file or function.
    """
    file, colon, name = what.rpartition(":")
    if not (colon and file and name):
        raise UsageError(f"FILE:FUNCTION, for instance program.py:main, not {what!r}")
    try:
        module = _imported(Path(file))
    except UsageError:
        raise
    except Exception as error:
        _tell(error)
        return None
    function = getattr(module, name, None)
    if not inspect.iscoroutinefunction(function):
        raise UsageError(f"{file} has no coroutine function {name!r} (async def)")
    needed = [
        each.name
        for each in inspect.signature(function).parameters.values()
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    if needed:
        raise UsageError(f"{name} needs parameters, {', '.join(needed)}: name a function that needs none")
    made: Callable[[], Coroutine[Any, Any, Any]] = function
    return made


def _imported(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"there is no file {clipped(str(path))}")
    spec = importlib.util.spec_from_file_location(_NAME, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{clipped(str(path))} is no Python file, NAME.py")
    sys.path.insert(0, str(path.resolve().parent))
    sys.argv = [str(path)]  # as if it had been run by itself, without arguments
    module = importlib.util.module_from_spec(spec)
    sys.modules[_NAME] = module
    spec.loader.exec_module(module)
    return module


def _report(run: Run[Any]) -> int:
    lines = (
        f"virtual time: {run.elapsed_ns / 1e9:.6f} s",
        f"events: {run.events}",
        f"digest: {run.digest}",
        f"token: {run.token}",
    )
    if run.error is None:
        print("\n".join(lines))
        return 0
    _tell(run.error)
    print("\n".join(lines), file=sys.stderr)
    return 1


def _tell(error: BaseException) -> None:
    """Print the program's exception, or the report of its deadlock."""
    sys.stdout.flush()  # the program's own output comes first
    text = f"{error}\n" if isinstance(error, DeadlockError) else shortened(error)
    print(text, end="", file=sys.stderr)
