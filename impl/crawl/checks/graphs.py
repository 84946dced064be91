"""The graph of a crawl: its URLs and the links, resources and redirects between them; and the map of the site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...web.charset import media_type
from ...web.interpret import HTML_TYPES
from ..record import Record
from .findings import Findings
from .shown import xml_text, xml_value

#: The most URLs of one sitemap (sitemaps.org/protocol.html).
SITEMAP_MAX: Final = 50_000


def dot(rows: Sequence[Record], found: Findings) -> Iterator[str]:
    """The language of Graphviz; broken links are red, redirects are dashed."""
    broken = found.problems()
    yield "digraph crawl {"
    for row in rows:
        yield f"  {_quoted(row.url)}{' [color=red]' if row.url in broken else ''};"
    for source, target, kind in _edges(rows):
        yield f"  {_quoted(source)} -> {_quoted(target)}{' [style=dashed]' if kind == 'redirect' else ''};"
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
    for source, target, kind in _edges(rows):
        ends = f"source={xml_value(source)} target={xml_value(target)}"
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
