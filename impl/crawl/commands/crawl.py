"""`loopspec crawl`: crawl real sites, with the options of the chapter's crawler.

The same crawler as everywhere, on the loop of real sockets.  All errors in the options are found before anything is
fetched or written: one line on standard error, exit status 2.

The file of results is a journal (journal.py): a line is written when its URL is done, and `--resume` goes on from it.
Ctrl-C, SIGTERM and SIGHUP end the crawl, not the command, which prints the report so far.  The options and
the exit status are in `command_line`.
"""

from __future__ import annotations

import gc
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager, nullcontext
from time import monotonic_ns
from typing import Final

import protego  # noqa: F401  # web/robots.py needs it only once a site has a robots.txt: too late to say that it is missing

from ...commands.options import UsageError, discard_output
from ...errors import CancelledError, DeadlockError
from ...loop import NS_PER_SECOND
from ...net.real.loop import SocketLoop
from ...tasks.task import Task
from ...web.outcome import Outcome
from ..checks.findings import Checker
from ..checks.formats import TEXT
from ..crawler import CrawlConfig, CrawlState
from ..frontier import Frontier
from ..interrupt import Interrupt
from ..options import CrawlOptions
from ..output import Output, Results, print_lines, tell
from ..progress import ProgressLine
from ..real import Program, executor_of, make_crawl
from ..record import Record
from ..results.append_file import FileError
from ..results.archive import Archive
from ..results.report import formatted, is_broken
from . import report as report_command
from .command_line import read

#: The number of new objects after which the collector looks at them.
_NEW_OBJECTS: Final = 20_000
#: The least exit status of a crawl that a signal ended.
_SIGNALLED: Final = 128


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status, as the help describes it (command_line.py)."""
    if list(argv[:1]) == ["report"]:  # a host of that name is written as http://report/
        return report_command.main(argv[1:])
    try:
        config, options, output = read(argv)
        with _seldom_collected():
            return _run(config, options, output)
    except UsageError as error:
        _complain(error)
        return 2


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Nearly all that a crawl keeps lies in no cycle: to go through it takes the collector time, and frees nothing."""
    before = gc.get_threshold()
    gc.set_threshold(_NEW_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _run(config: CrawlConfig, options: CrawlOptions, output: Output) -> int:
    executor = executor_of(options)
    checker = Checker(config.scope().allows)
    frontier = config.frontier()
    with (
        _archive(config, options, output) as archive,
        Results(output, options.settings(config), lambda row, _: checker.see(row)) as results,
        closing(SocketLoop()) as loop,
    ):
        line = _progress_line(frontier, output)
        began = monotonic_ns()

        def done(row: Record, outcome: Outcome) -> None:
            results.add(row)
            checker.see(row)
            if output.verbose:
                tell((monotonic_ns() - began) / NS_PER_SECOND, row.url, outcome)
            elif line is not None:
                line.tell(row.url, outcome)

        save = None if archive is None else archive.add
        crawler, program = make_crawl(config, options, loop, done, frontier, executor, save)
        if (resumed := results.resume(crawler)) is not None:
            _complain(resumed)
        crawl = loop.create_task(_shown(program, line), name="crawl")
        began = monotonic_ns()
        with Interrupt(loop, crawl) as interrupt:
            status = _ended(loop, crawl, interrupt)
            elapsed_ns = monotonic_ns() - began
            rows = crawler.records()
            status = _sorted(results, rows) or status
            found = checker.found(rows)
            before = len(results.found.rows)
            lines = formatted(output.format, rows, frontier.cut(), found, elapsed_ns, before)
            try:
                _say(crawler, lines, output)
            except OSError:
                if status < _SIGNALLED:
                    raise
                discard_output()  # the terminal is gone: that is why SIGHUP arrived
    return status or int(is_broken(found) and not output.exit_zero)


def _archive(config: CrawlConfig, options: CrawlOptions, output: Output) -> Archive | nullcontext[None]:
    """The archive that --save asks for, opened before any other file is written."""
    if output.save is None:
        return nullcontext()
    about = {
        "software": "loopspec",
        "format": "WARC File Format 1.1",
        "http-header-user-agent": options.identity(config).user_agent,
        "robots": "obey" if options.robots else "ignore",
    }
    return Archive(output.save, about, sync=output.sync)


def _progress_line(frontier: Frontier, output: Output) -> ProgressLine | None:
    """The line on a terminal that shows how far the crawl has come; None: there is none."""
    shown = not output.verbose and not output.quiet and sys.stderr.isatty()
    return ProgressLine(frontier, sys.stderr) if shown else None


async def _shown(program: Program, line: ProgressLine | None) -> None:
    """Crawl, with that line on the terminal."""
    async with line or nullcontext():
        await program()


def _ended(loop: SocketLoop, crawl: Task[None], interrupt: Interrupt) -> int:
    """Run the crawl to its end; return 0, or the exit status of an end that was too early."""
    try:
        loop.run(crawl)
    except (KeyboardInterrupt, CancelledError):
        return interrupt.status
    except (FileError, BrokenExecutor) as error:  # the URLs that are done can be resumed from
        _complain(error)
        return 1
    except DeadlockError as stuck:
        _complain(f"a defect of loopspec: {str(stuck).splitlines()[0]}")
        return 1
    except OSError:  # of the output
        raise
    except Exception:  # a defect, or no memory is left: the finished part is reported all the same
        traceback.print_exc()
        return 1
    finally:
        interrupt.over()
    return 0


def _sorted(results: Results, rows: Sequence[Record]) -> int:
    try:
        results.sort(rows)
    except FileError as error:
        _complain(error)
        return 1
    return 0


def _say(crawler: CrawlState, lines: Iterable[str], output: Output) -> None:
    """Print the report; on standard error, the number of URLs that were not fetched."""
    frontier = crawler.frontier
    if output.verbose:
        print()
    print_lines(lines)
    if by := crawler.cut.by():
        known = len(frontier.in_flight) + len(frontier.queued)
        cut = f"cut by {', '.join(by)}: {known:,} known URLs left"
        if output.format == TEXT:
            print(f"\n{cut}")
        else:
            _complain(cut)
    elif not frontier.idle:
        _complain(f"ended early; in flight {len(frontier.in_flight):,}, queued {len(frontier.queued):,}")


def _complain(what: object) -> None:
    print(f"loopspec crawl: {what}", file=sys.stderr)
