"""The command `loopspec conform SUBJECT`: play the kit's programs on a subject and print the report.

Exit status: 0 if all rules hold, are known bugs of this version of asyncio, differ in timing only, or are not judged; 1
if a rule is broken, and `--baseline` does not accept the finding; 2 if the subject cannot be loaded, or a rule is
unknown; 3 if the test was stopped, by Ctrl-C or `--max-seconds`, before it was finished, and no rule is broken.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from platform import python_version
from typing import Final

from impl.commands.options import Number, Parser, UsageError, seconds
from impl.commands.outputs import OutputFile
from impl.explore.report.live import LiveText
from impl.picture.files import add_pictures, check_pictures, write_pictures

from .budget import RUNS, Budget
from .findings.badge import badge
from .findings.baseline import NO_BASELINE, Baseline, name_of
from .findings.files import write_programs
from .judge import State
from .kit import run
from .report import Report
from .subjects.profiles import PROFILES
from .subjects.subject import AS, SubjectError

#: Seconds between two lines of progress in a log.
LOG_S: Final = 10


def _parser() -> Parser:
    parser = Parser(
        "loopspec conform",
        "Check whether a namespace with asyncio's names keeps the rules of asyncio's coordination.",
    )
    parser.add_argument(
        "subject",
        nargs="?",
        help="an importable module, a .py file, or FILE.py:CLASS; names that it does not define come from asyncio",
    )
    parser.add_argument("--only", nargs="+", action="extend", default=[], metavar="RULE", help="these rules only")
    parser.add_argument("--documented-only", action="store_true", help="leave out rules that are only settled")
    parser.add_argument(
        "--random",
        type=Number(0, 10**6),
        metavar="N",
        help=f"number of random programs ({RUNS})",
    )
    parser.add_argument(
        "--budget",
        type=Number(1, 1000),
        default=1,
        metavar="N",
        help="play N times as many interleavings, random programs and examples of state machines",
    )
    parser.add_argument("--max-seconds", type=seconds, metavar="S", help="seconds after which to stop (exit status 3)")
    parser.add_argument(
        "--exact", action="store_true", help="count a difference in timing, and what is not judged, as broken"
    )
    parser.add_argument(
        "--profile",
        metavar="NAME|FILE",
        help=f"what differs from asyncio's interface on purpose: {', '.join(PROFILES)}, or a .py file",
    )
    _add_files(parser)
    return parser


def _add_files(parser: Parser) -> None:
    """Add the options about the report, the baseline and other files."""
    parser.add_argument(
        "--programs",
        type=OutputFile(),
        metavar="DIR",
        help="write the function of each finding, or its script, to a file there",
    )
    parser.add_argument(
        "--baseline",
        type=OutputFile(),
        metavar="FILE",
        help="accept the findings of this file: only others are an exit status of 1",
    )
    parser.add_argument("--update-baseline", action="store_true", help="write what is found to the file of --baseline")
    parser.add_argument(
        "--format",
        choices=("text", "github"),
        default="text",
        help="format of what is printed; github: after the report, annotations for a workflow (text)",
    )
    add_pictures(parser, "the first finding beside what the rule demands")
    parser.add_argument("--json", type=OutputFile(), metavar="FILE", help="write the report as JSON")
    parser.add_argument("--junit", type=OutputFile(), metavar="FILE", help="write the report as JUnit's XML")
    parser.add_argument("--badge", type=OutputFile(), metavar="FILE", help="write a badge: an SVG of the rules kept")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with `argv` (None: the arguments of the process); return the exit status."""
    try:
        options = _parser().parse_args(argv)
        if options.subject is None:  # not by the parser: an unknown option is reported first
            raise UsageError("name a subject: a module, a .py file, or FILE.py:CLASS")
        subject = options.subject + (AS + options.profile if options.profile else "")
        baseline = baseline_of(options.baseline, subject, options.update_baseline)
        drawn = check_pictures(options)
        budget = Budget(options.budget, options.random, options.max_seconds)
        with LiveText(sys.stderr, LOG_S) as live:
            report = run(subject, options.only, options.documented_only, options.exact, budget, live)
        if options.update_baseline and not report.unfinished:
            baseline = baseline.updated(report.known(), report.tested)
            Path(options.baseline).write_text(baseline.text(), encoding="utf-8")
        report.baseline = baseline
        write(report, options.programs, options.json, options.junit)
        if options.badge is not None:
            write_badge(report, Path(options.badge))
        print(report.text())
        if options.format == "github":
            for line in report.annotations():
                print(line)
        if drawn and report.findings:
            from .findings.picture import scenes_of  # here, because it imports this package

            write_pictures(options, scenes_of(report.findings[0]))
        elif drawn:
            print("loopspec conform: no rule is broken, so nothing is drawn", file=sys.stderr)
    except SystemExit as leave:  # -h
        return int(leave.code or 0)
    except (UsageError, SubjectError, OSError) as error:
        print(f"loopspec conform: {error}", file=sys.stderr)
        return 2
    return report.status


def baseline_of(file: str | None, subject: str, update: bool) -> Baseline:
    """Return the baseline of a subject in a file; an empty one if there is none yet, or it is to be written.

    Raises:
        UsageError: the file is no baseline of the subject, or is not named.
    """
    if file is None:
        if update:
            raise UsageError("--update-baseline: name the file with --baseline FILE")
        return NO_BASELINE
    if update and not Path(file).exists():
        return Baseline(name_of(subject))
    return Baseline.read(Path(file), subject)


def write(report: Report, programs: str | None, json: str | None, junit: str | None) -> None:
    """Write the report to those files that were asked for.  Raises OSError."""
    if programs is not None:
        write_programs(Path(programs), report.findings)
    if json is not None:
        Path(json).write_text(report.json(), encoding="utf-8")
    if junit is not None:
        Path(junit).write_text(report.junit(), encoding="utf-8")


def write_badge(report: Report, file: Path) -> None:
    """Write the badge of a report, unless the test is unfinished.  Raises OSError."""
    if report.unfinished:
        print("loopspec conform: the test is unfinished, so there is no badge", file=sys.stderr)
        return
    counts = {state: len(report.of(state)) for state in State}
    file.write_text(badge(f"{report.subject} on Python {python_version()}", counts), encoding="utf-8")
