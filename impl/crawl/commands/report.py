"""`loopspec crawl report`: the report of a crawl, ended or not, from the file that `crawl --json` wrote.

Nothing is fetched: the records are replayed (journal.py), which gives the final budgets and the redirects that were
cut.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import fields

from ...commands.options import Parser, UsageError
from ...commands.outputs import OutputFile
from ...web.outcome import Outcome
from ..checks.findings import Checker
from ..checks.formats import add_format
from ..crawler import CrawlConfig, Crawler
from ..output import print_lines
from ..results.append_file import FileError
from ..results.journal import JournalError, Settings
from ..results.journal_file import read_journal, sort_journal
from ..results.report import formatted, is_broken


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status: 0, 1 for broken links or errors, 2 for bad usage."""
    try:
        return _run(argv)
    except (FileError, UsageError) as error:
        print(f"loopspec crawl report: {error}", file=sys.stderr)
        return 2


def _run(argv: Sequence[str]) -> int:
    parser = Parser("loopspec crawl report", "Print the report of a crawl from the file that crawl --json wrote.")
    # Not required: an unknown option would then be reported as a missing FILE.
    parser.add_argument("file", nargs="?", metavar="FILE", help="the file that crawl --json wrote")
    parser.add_argument(
        "--json",
        type=OutputFile(of="file"),
        metavar="FILE",
        help="write its lines as JSON, sorted by URL; this may be the same file",
    )
    add_format(parser)
    parser.epilog = """Exit status: 0; 1: a URL ended in an error or in a circle of redirects, or a fragment is missing;
2: bad usage."""
    options = parser.parse_args(argv)
    if options.file is None:
        raise UsageError("name the file that crawl --json wrote")
    checker = Checker()
    found = read_journal(options.file, lambda row, _: checker.see(row))
    if found.settings is None:
        raise JournalError(f"{options.file}: it is empty")
    crawler = Crawler(_config(options.file, found.settings), _nothing)
    try:
        crawler.resume(found.rows)
    except JournalError as error:
        raise JournalError(f"{options.file}: {error}") from None
    rows = crawler.records()
    if options.json is not None:
        sort_journal(options.file, options.json, found.settings, rows)
    told = checker.found(rows)
    print_lines(formatted(options.format, rows, crawler.frontier.cut(), told))
    if left := len(crawler.frontier.queued):
        print(f"loopspec crawl report: the crawl ended early; queued {left:,}", file=sys.stderr)
    return int(is_broken(told))


def _config(path: str, settings: Settings) -> CrawlConfig:
    """The plan of the crawl with that head of its journal."""
    names = {field.name for field in fields(CrawlConfig)}
    given = {name: value for name, value in settings.items() if name in names}
    try:
        return CrawlConfig(**{**given, "roots": tuple(settings["roots"])})
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise JournalError(f"{path}: its head is not one of a crawl: {error}") from None


async def _nothing(url: str) -> Outcome:
    raise AssertionError(f"a report fetches nothing: {url}")
