"""The result of a crawl in the formats of other programs: lines, from the records and the findings in them.

Graphviz and GraphML show the graph of the URLs: the links, resources and redirects between them.  A pure function of
the records and the findings: the same crawl gives the same lines, to the byte.  The format of people, `text`, is
impl/crawl/results/report.py.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from ...web.charset import media_type
from ...web.interpret import HTML_TYPES
from ..record import KEYS, Record
from .findings import NOT_ASKED, BrokenLink, Findings, LinkSource


def printable(text: str) -> str:
    r"""`text` with control characters, terminal escapes, marks of direction and the like as \x1b; lines stay."""
    return "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode("ascii") for each in text
    )


def source(where: LinkSource) -> str:
    """A place as a report names it: page, line, element if it is not `a`, text, redirects."""
    place, via = where
    shown = place.page
    if place.line:
        element = "" if place.element == "a" else f", {place.element}"
        text = f': "{printable(place.text)}"' if place.text else ""
        shown += f", line {place.line}{element}{text}"
    return shown + (f", by way of {' and '.join(via)}" if via else "")


def xml_text(text: str) -> str:
    """`text` as the content of an XML element; XML has no control characters, not even escaped."""
    return escape(printable(text))


def xml_value(text: str) -> str:
    """`text` as the value of an XML attribute, with its quotes."""
    return quoteattr(printable(text))


def cell(text: str) -> str:
    """`text` as the cell of a spreadsheet, which must not take it for a formula (OWASP, CSV injection)."""
    text = printable(text)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


# --- formats --------------------------------------------------------------------------------------------------------

#: The most URLs of one sitemap (sitemaps.org/protocol.html).
SITEMAP_MAX: Final = 50_000


def dot(rows: Sequence[Record], found: Findings) -> Iterator[str]:
    """The language of Graphviz; broken links are red, redirects are dashed."""
    broken = found.problems()
    yield "digraph crawl {"
    for row in rows:
        yield f"  {_quoted(row.url)}{' [color=red]' if row.url in broken else ''};"
    for begin, target, kind in _edges(rows):
        yield f"  {_quoted(begin)} -> {_quoted(target)}{' [style=dashed]' if kind == 'redirect' else ''};"
    yield "}"


def graphml(rows: Sequence[Record], found: Findings) -> Iterator[str]:
    """GraphML (graphml.graphdrawing.org), as networkx, yEd and Gephi read it."""
    problems = {url: each.problem for url, each in found.problems().items()}
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for name, place in (("outcome", "node"), ("problem", "node"), ("kind", "edge")):
        yield f'<key id="{name}" for="{place}" attr.name="{name}" attr.type="string"/>'
    yield '<graph edgedefault="directed">'
    for row in rows:
        problem = f'<data key="problem">{xml_text(problems[row.url])}</data>' if row.url in problems else ""
        yield f'<node id={xml_value(row.url)}><data key="outcome">{row.outcome}</data>{problem}</node>'
    for begin, target, kind in _edges(rows):
        ends = f"source={xml_value(begin)} target={xml_value(target)}"
        yield f'<edge {ends}><data key="kind">{kind}</data></edge>'
    yield "</graph></graphml>"


def sitemap(rows: Sequence[Record], found: Findings) -> Iterator[str]:
    """The HTML pages (sitemaps.org); a comment at the end counts the pages that one sitemap may not hold."""
    urls = [row.url for row in rows if row.outcome == "page" and media_type(row.content_type) in HTML_TYPES]
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    yield from (f"<url><loc>{xml_text(url)}</loc></url>" for url in urls[:SITEMAP_MAX])
    if len(urls) > SITEMAP_MAX:
        yield f"<!-- {len(urls) - SITEMAP_MAX:,} URLs are left out: a sitemap has {SITEMAP_MAX:,} at most -->"
    yield "</urlset>"


def _edges(rows: Sequence[Record]) -> Iterator[tuple[str, str, str]]:
    """From URL to URL, with the kind; only between URLs that were crawled."""
    known = frozenset(row.url for row in rows)  # for membership only
    for row in rows:
        targets = () if row.target is None else (row.target,)
        for kind, urls in (("link", row.links), ("resource", row.resources), ("redirect", targets)):
            yield from ((row.url, url, kind) for url in urls if url in known)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


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
            each.url.partition("#")[2]: [_source(where) for where in each.sources] for each in missing.get(row.url, ())
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


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the option --format to `parser`: the format of the result of a crawl or a report."""
    parser.add_argument(
        "--format",
        choices=(TEXT, *FORMATS),
        default=TEXT,
        help=f"format of what is printed at the end ({TEXT})",
    )


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
