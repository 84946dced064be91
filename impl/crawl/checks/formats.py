"""The result of a crawl in the formats of other programs: lines, from the records and the findings in them.

A pure function of them: the same crawl gives the same lines, to the byte.  The format of people, `text`, is
impl/crawl/results/report.py.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from ..record import KEYS, Record
from .findings import NOT_ASKED, BrokenLink, Findings, LinkSource
from .graphs import dot, graphml, sitemap
from .shown import cell, source, xml_text, xml_value

TEXT: Final = "text"
_COLUMNS: Final = ("url", "outcome", "status", "problem", "target", "size", "content_type")
_SOURCE_COLUMNS: Final = ("page", "line", "element", "text", "via")
#: The needs of a journal, and nothing else.
_UNTOLD: Final = ("references", "anchors")


def jsonl(rows: Sequence[Record], found: Findings) -> Iterator[str]:
    """A line of JSON for each URL: its record, and the sources of the broken links there."""
    broken = found.problems()
    missing = _by_page(found)
    for row in rows:
        value = {key: getattr(row, key) for key in KEYS if key not in _UNTOLD}
        here = broken.get(row.url)
        value["sources"] = [_source(each) for each in here.sources] if here else []
        value["missing"] = {
            each.url.partition("#")[2]: [_source(where) for where in each.sources]
            for each in missing.get(row.url, ())
        }
        yield json.dumps(value)


def comma_separated(rows: Sequence[Record], found: Findings) -> Iterator[str]:
    """A line for each URL, or for each source of one that is broken (RFC 4180)."""
    broken = found.problems()
    missing = _by_page(found)
    yield _line((*_COLUMNS, *_SOURCE_COLUMNS))
    for row in rows:
        yield from _lines(row, row.url, broken.get(row.url))
        for each in missing.get(row.url, ()):
            yield from _lines(row, each.url, each)


def junit(rows: Sequence[Record], found: Findings) -> Iterator[str]:
    """A test case for each URL, and for each missing fragment (the XML of JUnit, as CI systems read it)."""
    broken = found.problems()
    skipped = sum(row.error == NOT_ASKED for row in rows)
    failures = len(broken) + len(found.missing)
    counts = f'tests="{len(rows) + len(found.missing)}" failures="{failures}" errors="0" skipped="{skipped}"'
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuites {counts}><testsuite name="loopspec crawl" {counts}>'
    for row in rows:
        if row.error == NOT_ASKED:
            yield f"<testcase classname={xml_value(row.outcome)} name={xml_value(row.url)}><skipped/></testcase>"
        else:
            yield _case(row.outcome, row.url, broken.get(row.url))
    for each in found.missing:
        yield _case("fragment", each.url, each)
    yield "</testsuite></testsuites>"


#: By the names of the option --format.
FORMATS: Final[Mapping[str, Callable[[Sequence[Record], Findings], Iterator[str]]]] = {
    "jsonl": jsonl,
    "csv": comma_separated,
    "dot": dot,
    "graphml": graphml,
    "sitemap": sitemap,
    "junit": junit,
}


def _by_page(found: Findings) -> dict[str, list[BrokenLink]]:
    pages: dict[str, list[BrokenLink]] = {}
    for each in found.missing:
        pages.setdefault(each.url.partition("#")[0], []).append(each)
    return pages


def _source(where: LinkSource) -> dict[str, object]:
    return {**where.place._asdict(), "via": where.via}


def _lines(row: Record, url: str, broken: BrokenLink | None) -> Iterator[str]:
    problem = "" if broken is None else broken.problem
    about = (url, row.outcome, row.status or "", problem, row.target or "", row.size, cell(row.content_type))
    for where in (broken.sources if broken else ()) or (None,):
        if where is None:
            yield _line((*about, *("",) * len(_SOURCE_COLUMNS)))
        else:
            page, line, element, text = where.place
            yield _line((*about, page, line or "", element, cell(text), " ".join(where.via)))


def _line(cells: Sequence[object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()


def _case(kind: str, url: str, broken: BrokenLink | None) -> str:
    head = f"<testcase classname={xml_value(kind)} name={xml_value(url)}"
    if broken is None:
        return f"{head}/>"
    lines = [f"from {source(where)}" for where in broken.sources]
    if more := broken.count - len(broken.sources):
        lines.append(f"and from {more:,} more")
    text = xml_text("\n".join(lines))
    return f"{head}><failure message={xml_value(broken.problem)}>{text}</failure></testcase>"
