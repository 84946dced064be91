"""Sites, and differences between crawls of them, as lines of plain text.

For two results only the difference is shown: URLs with equal records are left out, and for two lists of links the
common part.  A long list is cut, and the rest is counted.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from impl.crawl.record import Record
from impl.web.serving.site import Broken, Html, Moved, Raw, Resource, Site

from .comparison import ResultDifference
from .sites import urls_of

#: The maximal number of URLs shown of one list.
_SHOWN: Final = 10


def resources(site: Site) -> Iterator[str]:
    """Yield the lines of a site: how large it is, then each URL and its answer."""
    urls = urls_of(site)
    yield f"{_count(len(urls), 'URL')}, {_count(len(site.roots), 'root')}, limit {site.limit}"
    width = max(map(len, urls))
    for url in urls:
        kind = "root" if url in site.roots else ""
        yield f"  {kind:<5}{url:<{width}}  {_answer(site.resources.get(url))}"
        if faults := site.faults.get(url):
            yield f"  {'':<5}{'':<{width}}  attempts: {', '.join(fault or 'no fault' for fault in faults)}"


def _answer(resource: Resource | None) -> str:
    match resource:
        case None:
            return "nothing there: 404"
        case Html(()):
            words = "a page without links"
        case Html(links):
            words = f"a page with links to {_list(links)}"
        case Raw(body, content_type):
            words = f"{len(body)} bytes of {content_type}"
        case Moved(target, status):
            words = f"{status} to {target}"
        case Broken("status", status):
            words = str(status)
        case Broken(fault):
            words = fault
    return f"{words}, after {resource.latency_ms} ms" if resource.latency_ms else words


def records_that_differ(difference: ResultDifference) -> Iterator[str]:
    """Yield the runtime, the conditions, and each URL with the records of the oracle and of the runtime."""
    name = difference.runtime.name
    yield f"{name} differs from the oracle under {difference.conditions()}"
    if difference.error is not None:
        yield f"  it raised {difference.error!r}"
    expected = {row.url: row for row in difference.expected}
    found = {row.url: row for row in difference.found}
    urls = [url for url in sorted({**expected, **found}) if expected.get(url) != found.get(url)]
    width = max(len(name), len("oracle"))
    for url in urls[:_SHOWN]:
        right, wrong = expected.get(url), found.get(url)
        yield f"  {url}"
        yield f"    {'oracle':<{width}}  {_row(right, wrong)}"
        yield f"    {name:<{width}}  {_row(wrong, right)}"
    if len(urls) > _SHOWN:
        yield f"  and {len(urls) - _SHOWN} more URLs"


def _row(row: Record | None, other: Record | None) -> str:
    """Format a record, with those of its links that the other one does not have."""
    if row is None:
        return "not fetched"
    words: list[str] = [row.outcome]
    if row.status is not None:
        words.append(f"status {row.status}")
    if row.error not in (None, "status"):
        words.append(row.error)
    if row.target is not None:
        words.append(f"to {row.target}")
    words.append(f"budget {row.budget}")
    if row.outcome == "page":
        words += [f"{row.size} bytes", row.content_type, _count(len(row.links), "link")]
    if other is not None and (only := [link for link in row.links if link not in other.links]):
        words.append(f"only here: {_list(only)}")
    return ", ".join(words)


def _list(urls: Sequence[str]) -> str:
    rest = f" and {len(urls) - _SHOWN} more" if len(urls) > _SHOWN else ""
    return " ".join(urls[:_SHOWN]) + rest


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
