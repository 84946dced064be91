"""`loopspec explore FILE:FUNCTION`: search the schedules of an asyncio or trio program, unmodified, for one that fails.

user_program.py imports the file and recognizes its runtime.  Exit status: 1, a run failed, or differs when it is
repeated; 0, none did, and the verdict says whether the search was exhausted; 2, bad usage, or a run that cannot be
simulated; 3, none failed, and some did not end; 130, interrupted, after the report of the findings so far.  Nothing
that the program prints is shown:
`--token` repeats one run, with `loopspec run` it shows its output, too.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from contextlib import redirect_stdout
from pathlib import Path
from shlex import join
from typing import Any, Final

from ..bridges.user_program import (
    ImportRaised,
    Runtime,
    absolute,
    add_runtime,
    first_seed,
    load,
    print_error,
    runtime_of,
)
from ..options import RUNS_MAX, Number, Parser, UsageError, write_output
from ..outputs import OutputFile
from ..picture.files import add_pictures, check_pictures, write_pictures
from ..sim.limits import ITERATIONS
from ..sim.recipe import SEED_MAX
from ..sim.token import TokenError
from .engine import RUNS, explore
from .found import CannotExplore, Found
from .live import LiveLine
from .odometer import KeepsState
from .parallel import FileFunction, Interrupted, explore_parallel
from .report.confirm import confirm
from .report.scenes import scenes_of

_FAILED: Final = 1
_USAGE: Final = 2
_INTERRUPTED: Final = 130
_JOBS_MAX: Final = 1000
#: The options with a value that are left out of the line that repeats a failure.
_ONCE: Final = ("--runs", "--seed", "--token", "--confirm", "--html", "--svg", "--json", "--jobs")


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status.  Breakpoints of the program are for `loopspec run --token`."""
    hook, sys.breakpointhook = sys.breakpointhook, lambda *_, **__: None
    try:
        return _main(argv)
    except UsageError as error:
        print(f"loopspec explore: {error}", file=sys.stderr)
        return _USAGE
    finally:
        sys.breakpointhook = hook


def _main(argv: Sequence[str]) -> int:
    options = parser().parse_args(argv)
    drawn = check_pictures(options)
    try:
        program = load(options.program)
    except ImportRaised as error:
        print_error(error.__cause__ or error)
        print(f"loopspec explore: {error}", file=sys.stderr)
        return _USAGE
    runtime: Runtime = options.runtime or runtime_of(program)
    arguments = _arguments(options)
    line = LiveLine(sys.stderr, arguments["runs"] if options.every else arguments["runs"] or RUNS)
    interrupted = False
    try:
        with line, redirect_stdout(_Null()):
            if options.jobs is None:
                explore(program, runtime=runtime, progress=line.show, **arguments)
            else:
                sent = FileFunction(absolute(options.program))
                found = explore_parallel(
                    sent, runtime=runtime, jobs=options.jobs, progress=line.show, **arguments
                )
                line.show(found)
    except Interrupted as stopped:
        interrupted, line.found = True, stopped.found
    except KeyboardInterrupt:
        interrupted = True
    except CannotExplore as error:
        _report(error.found, argv, options.json)
        return _USAGE
    except KeepsState as error:
        print(f"loopspec explore: {error}", file=sys.stderr)
        return _FAILED
    except (TokenError, UsageError, ValueError) as error:
        if isinstance(error, TokenError) and error.__cause__ is not None:
            print_error(error.__cause__)
        print(f"loopspec explore: {error}", file=sys.stderr)
        return _USAGE
    except BrokenExecutor:
        print(
            "loopspec explore: a process of --jobs was ended, by the program or by the system",
            file=sys.stderr,
        )
        return _USAGE
    found = line.found
    if interrupted and not found.exhausted and options.jobs is None:
        found.bound = f"the search was interrupted after {found.runs} run{'s' * (found.runs != 1)}"
    if interrupted and found.failure is not None:
        print(
            f"{found.failures} of {found.runs} runs failed; one is made simpler (Ctrl-C: stop)",
            file=sys.stderr,
        )
    _report(found, argv, options.json)
    if not (interrupted or found.verdict == "failed") and (steps := _next(found, options)):
        print(f"next: {', '.join(steps)}")
    if found.failure is not None:
        try:
            if options.confirm is not None:
                print(confirm(found.failure.program, found.failure.simple, Path(options.confirm)).text)
            if drawn:
                for file in write_pictures(options, scenes_of(found.failure.simple)):
                    print(f"wrote {file}")
        except OSError as error:
            raise UsageError(f"--confirm: {error}") from None
    elif drawn:
        print(
            "loopspec explore: no run failed, so none is drawn; `loopspec run` draws any run", file=sys.stderr
        )
    return _INTERRUPTED if interrupted else found.status


class _Null(io.TextIOBase):
    """Discards the output of the program."""

    def write(self, text: str, /) -> int:
        return len(text)


def parser() -> Parser:
    """The parser of the command line."""
    made = Parser(
        "loopspec explore", "Search the schedules of an asyncio or trio program for one that fails."
    )
    add = made.add_argument
    add(
        "program",
        nargs="?",
        default="",
        metavar="FILE:FUNCTION",
        help="a file, or a module, and a coroutine function in it",
    )
    add("--runs", type=Number(1, RUNS_MAX), metavar="N", help=f"number of runs ({RUNS}; of --every: all)")
    add("--seed", type=Number(0, SEED_MAX), metavar="N", help="seed of the first run; then the next one (0)")
    add("--every", action="store_true", help="run every schedule, or one of each class of equivalent ones")
    add("--keep-going", action="store_true", help="go on after a run that failed")
    add("--jobs", type=Number(1, _JOBS_MAX), metavar="N", help="split the search over N processes")
    add("--order", choices=("fifo", "any"), help="which ready task runs next: asyncio's order, or any (any)")
    add("--late", type=_seconds, default=0.0, metavar="S", help="how late a timer may be (0)")
    add("--cancel", metavar="NAMES", help='tasks to cancel at any suspension: "all", or names, with commas')
    add("--timeouts", action="store_true", help="a timeout may expire before all else")
    add("--faults", metavar="NAMES", help='faults of the network: "all", or NAME[/N][@HOST], with commas')
    add(
        "--errors",
        metavar="NAMES",
        help='what the program must not leave behind: "all", or names, with commas',
    )
    add(
        "--iterations",
        type=Number(1, RUNS_MAX),
        metavar="N",
        help=f"loop iterations after which a run that repeats itself is a livelock ({ITERATIONS:,})",
    )
    add("--token", metavar="T", help="repeat the run of this token, instead of a search")
    add(
        "--confirm",
        type=OutputFile(),
        metavar="SCRIPT",
        help="write a plain asyncio script that shows the failure, if it needs an order of tasks only, and run it",
    )
    add_pictures(made, "the failing run beside a passing one")
    add("--json", type=OutputFile(), metavar="FILE", help="write the findings as JSON")
    add_runtime(made)
    made.exclude("token", ("seed", "runs", "every"), "--token brings the choices of its run")
    made.exclude("jobs", ("every", "token"), "--jobs splits a search by its seeds")
    made.exclude("every", ("seed",), "--every draws no schedules")
    return made


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a number of seconds, not {text!r}") from None


def _arguments(options: argparse.Namespace) -> dict[str, Any]:  # Any: arguments of many types
    """The arguments of `explore`.

    Raises:
        UsageError: there is no such seed.
    """
    return {
        "runs": options.runs,
        "seed": first_seed(options),
        "every": options.every,
        "keep_going": options.keep_going,
        "order": options.order or "any",
        "late": options.late,
        "cancel": options.cancel,
        "timeouts": options.timeouts,
        "faults": options.faults,
        "errors": options.errors,
        "iterations": options.iterations or ITERATIONS,
        "token": options.token,
    }


def _report(found: Found, argv: Sequence[str], file: str | None) -> None:
    """Print the findings, and write them to a file as JSON.

    Parameters:
        argv: the arguments of the command, for the line that repeats a failure.
        file: of --json.

    Raises:
        UsageError: the file cannot be written.
    """
    print(found.report(lambda token: join(["loopspec", "explore", *_repeated(argv), "--token", token])))
    if file is not None:
        write_output("--json", file, json.dumps(found.as_json(), indent=2) + "\n")


def _next(found: Found, options: argparse.Namespace) -> list[str]:
    """The options that may find a failure that this search has not found."""
    more = not found.exhausted and options.token is None
    return [
        *(["more runs (--runs)"] if more and not options.every else []),
        *(["more runs (without --runs: all)"] if more and options.every and options.runs is not None else []),
        *(["timers that are late (--late S)"] if found.punctual and options.token is None else []),
        *(["every schedule (--every)"] if more and not options.every else []),
    ]


def _repeated(argv: Sequence[str]) -> list[str]:
    """The arguments without those that choose the runs."""
    kept: list[str] = []
    left = iter(argv)
    for each in left:
        if each in _ONCE:
            next(left, None)
        elif each not in ("--every", "--keep-going") and not each.startswith(
            tuple(f"{option}=" for option in _ONCE)
        ):
            kept.append(each)
    return kept
