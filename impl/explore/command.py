"""`loopspec explore FILE:FUNCTION`: search the schedules of an asyncio or trio program, unmodified, for one that fails.

user_program.py imports the file and recognizes its runtime.  Exit status: 1, a run failed, or differs when it is
repeated; 0, none did, and the verdict says whether the search was exhausted; 2, bad usage, or a run that cannot be
simulated; 3, none failed, and some did not end; 130, interrupted, after the report of the findings so far.  Of the
output of the runs, on both streams, that of the failing run in its simplest form is shown, below the report;
`loopspec run --token` shows all of it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from shlex import join
from typing import Final

from ..bridges.output import audible, muted
from ..bridges.user_program import (
    FileFunction,
    ImportRaised,
    Runtime,
    absolute,
    add_outside,
    add_runtime,
    first_seed,
    load,
    print_error,
    runtime_of,
)
from ..commands.options import RUNS_MAX, Number, Parser, UsageError, write_output
from ..commands.outputs import OutputFile
from ..picture.files import add_pictures, check_pictures, write_pictures
from ..sim.recipe import SEED_MAX
from ..sim.token import TokenError
from .choices.odometer import KeepsState
from .engine import explore_with
from .parallel import Interrupted, explore_in_batches
from .programs.program import UserMain
from .report.confirm import confirm
from .report.found import CannotExplore, Found
from .report.live import LiveLine
from .report.scenes import scenes_of
from .search.options import RUNS, Options

_FAILED: Final = 1
_USAGE: Final = 2
_INTERRUPTED: Final = 130
_JOBS_MAX: Final = 1000
_USUAL: Final = Options()
#: The options with a value that are left out of the line that repeats a failure.
_ONCE: Final = ("--runs", "--seed", "--token", "--confirm", "--html", "--svg", "--json", "--jobs")


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status.  Breakpoints of the program are for `loopspec run --token`."""
    hook, sys.breakpointhook = sys.breakpointhook, lambda *_, **__: None
    try:
        return _main(argv)
    except UsageError as error:
        return _complain(error)
    finally:
        sys.breakpointhook = hook


def _main(argv: Sequence[str]) -> int:
    given = parser().parse_args(argv)
    drawn = check_pictures(given)
    try:
        program = load(given.program)
    except ImportRaised as error:
        print_error(error.__cause__ or error)
        return _complain(error)
    options = _options(given, given.runtime or runtime_of(program))
    line = LiveLine(sys.stderr, options.runs if options.every else len(options.seeds()))
    try:
        interrupted = _search(given, program, options, line)
    except CannotExplore as error:
        _report(error.found, argv, given.json)
        return _USAGE
    except KeepsState as error:
        _complain(error)
        return _FAILED
    except (TokenError, UsageError, ValueError) as error:
        if isinstance(error, TokenError) and error.__cause__ is not None:
            print_error(error.__cause__)
        return _complain(error)
    except BrokenExecutor:
        return _complain("a process of --jobs was ended, by the program or by the system")
    found = line.found
    _report(found, argv, given.json)
    if not (interrupted or found.verdict == "failed") and (steps := _next(found, given)):
        print(f"next: {', '.join(steps)}")
    _write(found, given, drawn)
    return _INTERRUPTED if interrupted else found.status


def _search(given: argparse.Namespace, program: UserMain, options: Options, line: LiveLine) -> bool:
    """Search, with the findings so far in `line`; return whether that was interrupted."""
    try:
        with line, muted():
            if given.jobs is None:
                explore_with(program, options, line.show)
            else:
                sent = FileFunction(absolute(given.program))
                line.show(explore_in_batches(sent, options, jobs=given.jobs, progress=audible(line.show)))
        return False
    except Interrupted as stopped:
        line.found = stopped.found
    except KeyboardInterrupt:
        pass
    found = line.found
    if not found.exhausted and given.jobs is None:
        found.bound = f"the search was interrupted after {found.runs} run{'s' * (found.runs != 1)}"
    if found.failure is not None:
        print(
            f"{found.failures} of {found.runs} runs failed; one is made simpler (Ctrl-C: stop)",
            file=sys.stderr,
        )
    return True


def _write(found: Found, given: argparse.Namespace, drawn: bool) -> None:
    """Write the script and the pictures of a failure, as far as they are wanted.

    Raises:
        UsageError: a file cannot be written.
    """
    if found.failure is not None:
        try:
            if given.confirm is not None:
                print(confirm(found.failure.program, found.failure.simple, Path(given.confirm)).text)
            if drawn:
                for file in write_pictures(given, scenes_of(found.failure.simple)):
                    print(f"wrote {file}")
        except OSError as error:
            raise UsageError(f"--confirm: {error}") from None
    elif drawn:
        _complain("no run failed, so none is drawn; `loopspec run` draws any run")


def _complain(what: object) -> int:
    """Print a line on standard error; return the exit status of bad usage."""
    print(f"loopspec explore: {what}", file=sys.stderr)
    return _USAGE


def parser() -> Parser:
    """The parser of the command line."""
    made = Parser("loopspec explore", "Search the schedules of an asyncio or trio program for one that fails.")
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
    add(
        "--order",
        choices=("fifo", "any"),
        default=_USUAL.order,
        help="which ready task runs next: asyncio's order, or any (any)",
    )
    add("--late", type=_seconds, default=_USUAL.late, metavar="S", help="how late a timer may be (any, in some runs)")
    add("--cancel", metavar="NAMES", help='tasks to cancel at any suspension: "all", or names, with commas')
    add("--timeouts", action="store_true", help="a timeout may expire before all else")
    add("--preempt", action="store_true", help="a thread may let others go on at each access of shared state")
    add("--faults", metavar="NAMES", help='faults of the network: "all", or NAME[/N][@HOST], with commas')
    add(
        "--errors",
        metavar="NAMES",
        help='what the program must not leave behind: "all", or names, with commas',
    )
    add_outside(made)
    add("--follow", metavar="NAMES", help="installed packages to record as well, with commas")
    add(
        "--iterations",
        type=Number(1, RUNS_MAX),
        default=_USUAL.iterations,
        metavar="N",
        help=f"loop iterations after which a run that repeats itself is a livelock ({_USUAL.iterations:,})",
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
    made.exclude("jobs", ("outside",), "runs of several processes would share the state of a real server")
    made.exclude("every", ("seed",), "--every draws no schedules")
    return made


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a number of seconds, not {text!r}") from None


def _options(given: argparse.Namespace, runtime: Runtime) -> Options:
    """The options of the search.

    Raises:
        UsageError: there is no such seed, or an option cannot be used.
    """
    try:
        return Options(
            runtime=runtime,
            runs=given.runs,
            seed=first_seed(given),
            every=given.every,
            keep_going=given.keep_going,
            order=given.order,
            late=given.late,
            cancel=given.cancel,
            timeouts=given.timeouts,
            preempt=given.preempt,
            faults=given.faults,
            errors=given.errors,
            outside=given.outside,
            before_run=given.before_run,
            follow=given.follow,
            iterations=given.iterations,
            token=given.token,
        )
    except ValueError as error:
        raise UsageError(str(error)) from None


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


def _next(found: Found, given: argparse.Namespace) -> list[str]:
    """The options that may find a failure that this search has not found."""
    more = not found.exhausted and given.token is None
    punctual = found.punctual and not found.freed and found.beyond is None
    return [
        *(["more runs (--runs)"] if more and not given.every else []),
        *(["more runs (without --runs: all)"] if more and given.every and given.runs is not None else []),
        *(["timers that are late (--late S)"] if punctual and given.token is None else []),
        *(["every schedule (--every)"] if more and not given.every else []),
    ]


def _repeated(argv: Sequence[str]) -> list[str]:
    """The arguments without those that choose the runs."""
    kept: list[str] = []
    left = iter(argv)
    for each in left:
        if each in _ONCE:
            next(left, None)
        elif each not in ("--every", "--keep-going") and not each.startswith(tuple(f"{option}=" for option in _ONCE)):
            kept.append(each)
    return kept
