"""`loopspec run FILE:FUNCTION`: an asyncio program, unmodified, in virtual time on the simulated network.

user_program.py imports the file.  The command makes one run, of a seed or of a token.  At its end it prints the virtual
time, the events, the digest and the token.  If the program raises or deadlocks, these lines go to standard error, after
the deadlock report or the traceback.  The traceback has the program's own lines only (user_traceback.py).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final

from ..options import Number, Parser, UsageError
from ..sim.recipe import SEED_MAX, Recipe
from ..sim.run import Run
from ..sim.token import TokenError
from .asyncio.run import KIND, simulate
from .network import Setting
from .user_program import ImportRaised, load, print_error

# Any in this file: the result of the user's function.

_USAGE: Final = 2


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
        program = load(options.program)
    except UsageError as error:
        print(f"loopspec run: {error}", file=sys.stderr)
        return _USAGE
    except ImportRaised as error:
        print_error(error.__cause__ or error)
        return 1
    try:
        run = simulate(program, seed=options.seed or 0, order=options.order or "fifo", token=options.token)
        return _report(run)
    except TokenError as error:  # the program has changed since
        if error.__cause__ is not None:
            print_error(error.__cause__)
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
    print_error(run.error)
    print("\n".join(lines), file=sys.stderr)
    return 1
