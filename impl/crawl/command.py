"""`loopspec crawl`: crawl real sites, with the options of the chapter's crawler.

The same crawler as everywhere, on the loop of real sockets.  All errors in the options are found before anything is
fetched or written: one line on standard error, exit status 2.

The file of results is a journal (journal.py): a line is written when its URL is done, and `--resume` goes on from it.
Ctrl-C, SIGTERM and SIGHUP end the crawl, not the command, which prints the report so far.  The options and
the exit status are in `options`.
"""

from __future__ import annotations

import argparse
import gc
import sys
import traceback
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager, nullcontext
from time import monotonic_ns
from typing import Any, Final

from ..errors import CancelledError, DeadlockError
from ..loop import NS_PER_SECOND
from ..net.real.loop import SocketLoop
from ..options import UsageError, discard_output
from ..tasks.task import Task
from ..web.outcome import Outcome
from .checks.checker import Checker
from .checks.formats import TEXT
from .console import print_lines, tell
from .crawler import CrawlConfig, CrawlState
from .interrupt import Interrupt
from .manners_options import identity
from .options import parser, plan, settings
from .progress import ProgressLine
from .real import RealShard, real_crawl
from .results import report_command
from .results.appended import FileError
from .results.archive import Archive
from .results.output import Results
from .results.record import Record, outcome_of
from .results.report import formatted, is_broken
from .shards import MakeExecutor, ShardedCrawler
from .workers import make_executor

#: The number of new objects after which the collector looks at them.
_NEW_OBJECTS: Final = 20_000
#: The least exit status of a crawl that a signal ended.
_SIGNALLED: Final = 128


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status, as the help describes it (options.py)."""
    if list(argv[:1]) == ["report"]:  # a host of that name is written as http://report/
        return report_command.main(argv[1:])
    try:
        options = parser().parse_args(argv)
        with _seldom_collected():
            return _run(options)
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


def _run(options: argparse.Namespace) -> int:
    config = plan(options)
    executor = None if options.shards is None else make_executor(options)
    checker = Checker(config.scope().allows)
    with (
        _archive(options, config) as archive,
        Results(options, settings(options, config), lambda row, _: checker.see(row)) as results,
        closing(SocketLoop()) as loop,
    ):
        crawler, program = _crawl(options, config, results, archive, checker, loop, executor)
        if (resumed := results.resume(crawler)) is not None:
            _complain(resumed)
        crawl = loop.create_task(program(), name="crawl")
        began = monotonic_ns()
        with Interrupt(loop, crawl) as interrupt:
            status = _ended(loop, crawl, interrupt)
            elapsed_ns = monotonic_ns() - began
            rows = crawler.records()
            status = _sorted(results, rows) or status
            found = checker.found(rows)
            before = len(results.found.rows)
            cut = crawler.frontier.cut()
            lines = formatted(options.format, rows, cut, found, elapsed_ns, before)
            try:
                _say(crawler, lines, options)
            except OSError:
                if status < _SIGNALLED:
                    raise
                discard_output()  # the terminal is gone: that is why SIGHUP arrived
    return status or int(is_broken(found) and not options.exit_zero)


def _archive(options: argparse.Namespace, config: CrawlConfig) -> Archive | nullcontext[None]:
    """The archive that --save asks for, opened before any other file is written."""
    if options.save is None:
        return nullcontext()
    about = {
        "software": "loopspec",
        "format": "WARC File Format 1.1",
        "http-header-user-agent": identity(options, config).user_agent,
        "robots": "ignore" if options.no_robots else "obey",
    }
    return Archive(options.save, about, sync=options.flush == "disk")


def _crawl(
    options: argparse.Namespace,
    config: CrawlConfig,
    results: Results,
    archive: Archive | None,
    checker: Checker,
    loop: SocketLoop,
    executor: MakeExecutor | None,
) -> tuple[CrawlState, Callable[[], Coroutine[Any, Any, None]]]:  # Any: as Loop.create_task
    """Return the crawler, and the function that crawls with it on `loop`; in shards, if there is an executor."""
    frontier = config.frontier()
    line = None
    if not options.verbose and not options.quiet and sys.stderr.isatty():
        line = ProgressLine(frontier, sys.stderr)
    began = monotonic_ns()

    def done(row: Record, outcome: Outcome) -> None:
        results.add(row)
        checker.see(row)
        if options.verbose:
            tell((monotonic_ns() - began) / NS_PER_SECOND, row.url, outcome)
        elif line is not None:
            line.tell(row.url, outcome)

    def joined(row: Record) -> None:
        done(row, outcome_of(row))

    crawler: CrawlState
    if executor is None:
        save = None if archive is None else archive.add
        real = real_crawl(options, config, loop, done, frontier, save=save)
        crawler, crawl = real.crawler, real.crawl
    else:
        crawler = sharded = ShardedCrawler(
            config, RealShard(options), options.shards, executor, joined, frontier
        )
        crawl = sharded.crawl

    async def program() -> None:
        async with line or nullcontext():
            await crawl()

    return crawler, program


def _ended(loop: SocketLoop, crawl: Task[None], interrupt: Interrupt) -> int:
    """Run the crawl to its end; return 0, or the exit status of an end that was too early."""
    try:
        loop.run(crawl)
    except (KeyboardInterrupt, CancelledError):
        return interrupt.status
    except (FileError, BrokenExecutor) as error:  # what is done can be resumed from
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


def _say(crawler: CrawlState, lines: Iterable[str], options: argparse.Namespace) -> None:
    """Print the report; on standard error, the number of URLs that were not fetched."""
    frontier = crawler.frontier
    if options.verbose:
        print()
    print_lines(lines)
    if by := crawler.cut.by():
        known = len(frontier.in_flight) + len(frontier.queued)
        cut = f"cut by {', '.join(by)}: {known:,} known URLs left"
        if options.format == TEXT:
            print(f"\n{cut}")
        else:
            _complain(cut)
    elif not frontier.idle:
        _complain(f"ended early; in flight {len(frontier.in_flight):,}, queued {len(frontier.queued):,}")


def _complain(what: object) -> None:
    print(f"loopspec crawl: {what}", file=sys.stderr)
