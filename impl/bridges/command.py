"""`loopspec run FILE:FUNCTION`: an asyncio or trio program, unmodified, in virtual time on the simulated network.

user_program.py imports the file and recognizes its runtime.  The command makes one run, of a seed or of a token, or one
for each of several seeds until one fails.  At its end it prints the virtual time, the events, the digest and the token.
If the program raises or deadlocks, these lines go to standard error, after the deadlock report or the traceback.  The
traceback has the program's own lines only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ..commands.options import RUNS_MAX, Number, Parser, UsageError
from ..errors import EndedBySignal, Refusal, UnfinishedError
from ..picture import Scene, scene_of
from ..picture.files import add_pictures, check_pictures, write_pictures
from ..runners.simulate import Run
from ..sim.kernel import TURNS_MAX
from ..sim.limits import ITERATIONS, RunLimits
from ..sim.recipe import SEED_MAX, Recipe
from ..sim.token import TokenError
from .asyncio.run import KIND, simulate
from .before_run import BeforeRunFailed, call_before_run
from .network import DEFAULT, TRIO_KIND, Network, Setting, reaching
from .user_program import (
    ImportRaised,
    Runtime,
    add_outside,
    add_runtime,
    first_seed,
    load,
    print_error,
    runtime_of,
)

# Any in this file: the result of the user's function.

_USAGE: Final = 2
_UNFINISHED: Final = 3


def _parser() -> Parser:
    parser = Parser(
        "loopspec run", "Run an unmodified asyncio or trio program in virtual time, on the simulated network."
    )
    parser.add_argument(
        "program",
        nargs="?",
        default="",
        metavar="FILE:FUNCTION",
        help="a file, or a module, and a coroutine function in it",
    )  # not required by the parser, so that an unknown option is reported first
    parser.add_argument("--seed", type=Number(0, SEED_MAX), metavar="N", help="seed of all choices (0)")
    parser.add_argument(
        "--runs",
        type=Number(1, RUNS_MAX),
        metavar="N",
        help="number of runs: of this seed, the next one, and so on, until one fails (1)",
    )
    parser.add_argument(
        "--order", choices=("fifo", "any"), help="which ready task runs next: asyncio's order, or any (fifo)"
    )
    parser.add_argument("--token", metavar="T", help="repeat the run of this token, instead of a seed and an order")
    parser.exclude("token", ("seed", "runs", "order"), "--token brings the seed and the order of the run")
    parser.add_argument(
        "--iterations",
        type=Number(1, TURNS_MAX),
        default=ITERATIONS,
        metavar="N",
        help=f"loop iterations after which a run that repeats itself is a livelock ({ITERATIONS:,})",
    )
    add_outside(parser)
    add_pictures(parser, "the run")
    add_runtime(parser)
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status: 0, 1 when the program raises or deadlocks, 2 for bad usage, or when
    the program cannot be simulated, 3 when it did not end."""
    try:
        options = _parser().parse_args(argv)
        drawn = check_pictures(options)
        network = _reached(options.outside)
        of_token = _runtime_of(options.token, network)
        program = load(options.program)
        runtime: Runtime = options.runtime or of_token or runtime_of(program)
        if of_token not in (None, runtime):
            raise UsageError(f"--token: it is of a run on {of_token}; leave out --runtime")
        if network.outside and runtime != "asyncio":
            raise UsageError(f"--outside is for programs of asyncio, not of {runtime}")
        simulated = simulate if runtime == "asyncio" else _simulate_trio()
    except UsageError as error:
        print(f"loopspec run: {error}", file=sys.stderr)
        return _USAGE
    except ImportRaised as error:
        print_error(error.__cause__ or error)
        return 1
    try:
        first = first_seed(options)
        for seed in range(first, first + (options.runs or 1)):
            call_before_run(options.before_run)
            run = simulated(
                program,
                network=network,
                seed=seed,
                order=options.order or "fifo",
                token=options.token,
                trace=drawn,
                limits=RunLimits.of_one(options.iterations),
            )
            if run.error is not None:
                break
        if options.runs is not None:
            print(f"seeds: {first}-{seed}")
        if isinstance(run.error, SystemExit) and not isinstance(run.error, EndedBySignal):
            raise run.error
        status = _report(run)
        if drawn:
            write_pictures(options, [_scene(run, options.program)])
        return status
    except (BeforeRunFailed, UsageError) as error:
        print(f"loopspec run: {error}", file=sys.stderr)
        return _USAGE
    except TokenError as error:  # the program has changed since
        if error.__cause__ is not None:
            print_error(error.__cause__)
        print(f"loopspec run: {error}", file=sys.stderr)
        return 1


def _reached(servers: Sequence[str] | None) -> Network:
    """The network with the real servers that the options name.

    Raises:
        UsageError: one of them cannot be reached.
    """
    try:
        return reaching(None, servers or ()) or DEFAULT
    except ValueError as error:
        raise UsageError(f"{error}") from None


def _runtime_of(token: str | None, network: Network) -> Runtime | None:
    """The runtime of a token's run; None: there is no token.

    Raises:
        UsageError: it is malformed, or is of another network.
    """
    if token is None:
        return None
    runtime: Runtime = "trio" if token.startswith(TRIO_KIND) else "asyncio"
    try:
        Recipe.of(KIND if runtime == "asyncio" else TRIO_KIND, Setting(network=network), 0, token)
    except TokenError as error:
        raise UsageError(f"--token: {error}") from None
    return runtime


def _simulate_trio() -> Callable[..., Run[Any]]:
    """simulate_trio.

    Raises:
        UsageError: this version of trio was not tested.
        ModuleNotFoundError: trio is not installed.
    """
    from .trio.order import check_version  # here, because programs of asyncio need no trio
    from .trio.run import simulate_trio

    check_version()
    return simulate_trio


def _scene(run: Run[Any], program: str) -> Scene:
    """The picture of a run, with the text of the program: not each step has a line of it."""
    how = (
        "returned"
        if run.error is None
        else f"raised {type(run.error).__name__}: {str(run.error).partition(chr(10))[0]}"
    )
    scene = scene_of(run, title=program, notes=[f"the program {how}", f"token: {run.token}"])
    lines = Path(program.rpartition(":")[0]).read_text(encoding="utf-8", errors="replace").splitlines()
    return replace(scene, program="\n".join(f"{number:>4}  {line}" for number, line in enumerate(lines, 1)))


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
    if isinstance(run.error, Refusal):
        sys.stdout.flush()
        print(f"loopspec run: cannot be simulated: {run.error.sentence()}", file=sys.stderr)
        return _USAGE
    print_error(run.error)
    print("\n".join(lines), file=sys.stderr)
    return _UNFINISHED if isinstance(run.error, UnfinishedError) else 1
