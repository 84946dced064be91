"""`loopspec simulate`: crawl a generated web, or a directory of HTML files, on the simulated network.

The options, or a token, make a recipe (sim/recipe.py); the command runs it and prints a report, its digest and token.
With `--shards` it is several runs; their joined result has the same report and neither digest nor token.
Errors in the options are found before anything runs or is written: one line on standard error, exit status 2.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, TextIO

from ...commands.options import Number, Parser, UsageError
from ...commands.outputs import OutputFile
from ...picture import scene_of
from ...picture.files import add_pictures, check_pictures, write_pictures
from ...sim.recipe import SEED_MAX, Recipe
from ...sim.token import TokenError
from ...web.serving.directory import Directory
from ..crawler import CrawlState
from ..output import tell
from ..record import Record, json_lines
from ..results.report import report
from ..shards import crawl_shards
from ..simulation import KIND, LATENCY_MS_MAX, PAGES_MAX, Crawl, SimulatedShard, plan, simulate
from ..workers import add_shards, check_shards, make_executor

#: The options that make a recipe.
_OF_RECIPE: Final = ("seed", "pages", "order", "latency_ms_max")


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status: 0, 1 when a token does not replay its run, 2 for bad usage."""
    try:
        return _run(_parser().parse_args(argv))
    except UsageError as error:
        print(f"loopspec simulate: {error}", file=sys.stderr)
        return 2


def _parser() -> Parser:
    parser = Parser(
        "loopspec simulate", "Crawl a generated web, or a directory of HTML files, on the simulated network."
    )
    add = parser.add_argument
    add("--seed", type=Number(0, SEED_MAX), metavar="N", help="seed of all choices (0)")
    add("--pages", type=Number(1, PAGES_MAX), metavar="N", help="pages of the generated web (40)")
    add("--site", metavar="DIR", help="crawl this directory, from its index.html, instead")
    add(
        "--order",
        choices=("fifo", "any"),
        help="which ready task runs next: first in first out, or any (fifo)",
    )
    add("--latency-ms-max", type=Number(0, LATENCY_MS_MAX), metavar="N", help="greatest latency in ms (20)")
    add("--json", type=OutputFile(), metavar="FILE", help="write the result as JSON, a line for each URL")
    add("--token", metavar="T", help="repeat the run of this token; alone, or with its --site")
    add("-v", "--verbose", action="store_true", help="a line for each URL as it is done")
    parser.exclude("token", (*_OF_RECIPE, "json", "verbose"), "--token brings all options of the run but --site")
    parser.exclude("pages", ("site",), "--pages is for the generated web")
    add_pictures(parser, "the run")
    add_shards(parser)
    return parser


def _run(options: argparse.Namespace) -> int:
    directory, digest = _directory(options.site)
    check_shards(options, ("token", "verbose", "html", "svg"))
    drawn = check_pictures(options)
    recipe = _recipe(options, digest)
    for name in ("json", "html", "svg"):
        file = getattr(options, name)
        if directory is not None and file and Path(file).resolve().is_relative_to(directory.root):
            raise UsageError(f"--{name}: the file would be part of the site; write it somewhere else")
    executor = None if options.shards is None else make_executor(options.shards, options.dask)
    output = _open_json(options.json)
    if executor is not None:
        shard = SimulatedShard(recipe, directory)
        joined = crawl_shards(plan(recipe, directory), shard, options.shards, executor, in_rounds=True)
        _write_json(output, joined.records())
        _report(joined, joined.elapsed_ns)
        return 0
    run = simulate(recipe, directory, tell if options.verbose else None, trace=drawn)
    crawler = run.outcome()
    _write_json(output, crawler.records())
    if options.verbose:
        print()
    _report(crawler, run.elapsed_ns)
    print(f"\nevents: {run.events}\ndigest: {run.digest}\ntoken: {run.token}")
    try:
        run.check()
    except TokenError as error:
        print(f"loopspec simulate: {error}", file=sys.stderr)
        return 1
    if drawn:
        what = f"a crawl of {len(crawler.frontier.outcomes):,} URLs"
        write_pictures(options, [scene_of(run, title=what, notes=[f"token: {run.token}"])])
    return 0


def _open_json(path: str | None) -> TextIO | None:
    """Open the file of the option --json, and empty it; None if the option was not given.

    It is opened before the crawl, so that most errors are found before any work.

    Raises:
        UsageError: the file cannot be written.
    """
    if path is None:
        return None
    try:
        return Path(path).open("w", encoding="ascii")
    except OSError as error:
        raise _unwritable(path, error) from None


def _write_json(output: TextIO | None, rows: Iterable[Record]) -> None:
    """Write a line for each record, and close the file; does nothing without a file.

    Raises:
        UsageError: the file cannot be written (a full disk); reported in the same way, after the crawl.
    """
    if output is None:
        return
    try:
        with output:
            output.writelines(json_lines(rows))
    except OSError as error:
        raise _unwritable(output.name, error) from None


def _unwritable(path: str, error: OSError) -> UsageError:
    return UsageError(f"--json: cannot write {path}: {error.strerror}")


def _report(crawler: CrawlState, elapsed_ns: int) -> None:
    print("\n".join(report(crawler.records(), crawler.frontier.cut(), elapsed_ns, " of virtual time")))


def _directory(path: str | None) -> tuple[Directory | None, bytes]:
    if path is None:
        return None, b""
    try:
        directory = Directory(path)
        return directory, directory.digest()
    except (OSError, ValueError) as error:
        raise UsageError(f"--site: {error}") from None


def _recipe(options: argparse.Namespace, site_digest: bytes) -> Recipe[Crawl]:
    """The recipe that the options give, or that of the token."""
    given = {name: vars(options)[name] for name in _OF_RECIPE if vars(options)[name] is not None}
    token = options.token
    if token is None:
        seed = given.pop("seed", 0)
        return Recipe(KIND, Crawl(**given, site_digest=site_digest), seed)
    try:
        recipe = Recipe.of(KIND, Crawl(), 0, token)
    except TokenError as error:
        raise UsageError(f"--token: {error}") from None
    of_token = recipe.parameters.site_digest
    if of_token and not site_digest:
        raise UsageError("--token: the run crawled a directory; give it again by --site")
    if site_digest and not of_token:
        raise UsageError("--token: the run crawled a generated web; leave out --site")
    if not site_digest.startswith(of_token):
        raise UsageError("--site: this is not the directory that the token's run crawled, or it has changed")
    return recipe
