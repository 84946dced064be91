"""The page of the suites, from the stored results."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from ...explored.options import NOT_EXPLORED, ORDER, OWN_ORDER, PASSES, TIMING
from ...explored.summary import without_place
from .run import SuiteResult
from .table import SUITES, ExploredSuite

#: The files of `make suites`.
STORED: Final = Path(__file__).with_name("suites.json")
PAGE: Final = Path(__file__).with_name("SUITES.md")
#: The verdicts that have a column; any other is named in the last one.
_COLUMNS: Final = (PASSES, ORDER, TIMING, OWN_ORDER, NOT_EXPLORED)
#: Verdicts that need no judgement: a fragile assumption is what the verdict says.
_PLAIN: Final = (PASSES, ORDER, NOT_EXPLORED)
HEAD: Final = """# Suites of libraries, explored

Written by `make suites`.  Each row is the test suite of a library, from the source distribution of one version, and
unmodified: first as ever, then under `pytest --explore`.  The numbers are those of the tests that pass as ever: all,
and the asynchronous ones by [verdict](../../documents/site/flaky.md).  A test that is not explored ran as ever.
Seconds are those of both sessions, on two cores that had other work.

*Order only* says that a test holds in the order that asyncio has today, and not in each that its documentation allows.
Each other failure was looked into; the reasons are below the table.

| library | Python | runs | tests | passes | order only | timing | asyncio's own | not explored | other | seconds |
|---|---|---|---|---|---|---|---|---|---|---|
"""


def read() -> dict[str, SuiteResult]:
    """Return the stored results, by the names of the libraries."""
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else []
    return {each["name"]: SuiteResult(**each) for each in stored}


def write(results: Mapping[str, SuiteResult]) -> None:
    """Store results, and write the page."""
    every = [results[suite.name] for suite in SUITES if suite.name in results]
    lines = ",\n".join(json.dumps(each.stored()) for each in every)
    STORED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    PAGE.write_text(page(every), encoding="utf-8")


def page(results: Sequence[SuiteResult]) -> str:
    """Return the page of these results."""
    suites = {suite.name: suite for suite in SUITES}
    parts = [HEAD + "".join(f"{row(each)}\n" for each in results) + total(results)]
    parts += [text for each in results for text in _looked_into(each, suites[each.name])]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def row(result: SuiteResult) -> str:
    """Return the row of a library."""
    cells = (f"{result.name} {result.version}", result.python, result.runs, *_numbers(result))
    return f"| {' | '.join(map(str, cells))} | {_others(result)} | {result.plain_seconds} + {result.seconds} |"


def total(results: Sequence[SuiteResult]) -> str:
    """Return the last row: the sums."""
    sums = [sum(numbers) for numbers in zip(*map(_numbers, results), strict=True)] or [0] * (1 + len(_COLUMNS))
    others = sum((Counter(_rest(each)) for each in results), Counter[str]()).total()
    seconds = f"{sum(each.plain_seconds for each in results)} + {sum(each.seconds for each in results)}"
    return f"| {len(results)} suites | | | {' | '.join(map(str, sums))} | {others or ''} | {seconds} |\n"


def unjudged(result: SuiteResult, suite: ExploredSuite) -> list[str]:
    """Return the tests of a result that need a judgement and have none."""
    return [test for test in _asked(result) if not any(part in test for part in suite.judged)]


def _numbers(result: SuiteResult) -> list[int]:
    return [result.tests, *(result.explored.get(verdict, 0) for verdict in _COLUMNS)]


def _rest(result: SuiteResult) -> dict[str, int]:
    return {verdict: count for verdict, count in result.explored.items() if verdict not in _COLUMNS}


def _others(result: SuiteResult) -> str:
    return ", ".join(f"{verdict} {count}" for verdict, count in _rest(result).items())


def _asked(result: SuiteResult) -> dict[str, str]:
    """The tests that need a judgement, with their verdicts."""
    return {test: verdict for test, (verdict, _) in result.failing.items() if verdict not in _PLAIN}


def _looked_into(result: SuiteResult, suite: ExploredSuite) -> Iterator[str]:
    lines: list[str] = []
    for part, why in suite.judged.items():
        found = {test: verdict for test, verdict in _asked(result).items() if part in test}
        for verdict, count in Counter(found.values()).items():
            first = next(test for test in found if found[test] == verdict).rpartition("/")[2]
            more = f" and {count - 1} more" if count > 1 else ""
            lines.append(f"- {verdict}: `{first}`{more}: {why}")
    reasons = Counter[str]()
    for reason, count in result.reasons.items():
        reasons[without_place(reason)] += count
    for reason, count in reasons.most_common():
        lines.append(f"- not explored: {count} test{'s' * (count != 1)}: {reason}")
    if lines:
        yield f"## {result.name}"
        yield "\n".join(lines)
