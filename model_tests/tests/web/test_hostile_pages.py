"""No page costs more than a bound, whatever it holds: measured in a process of its own, in CPU seconds and memory."""

import sys

import pytest

from impl.web.http import Response
from impl.web.interpret import outcome, reading
from impl.web.limits import Limits
from impl.web.markup import PIECE
from impl.web.outcome import FetchFailure, Outcome, Page

from ..process import python
from .hostile_pages import PAGES, URL

#: Those that cost a tree, or an earlier reader, most.
_SHORT = ("nested lists", "adopted formatting", "links", "links below a long base", "attributes", "nulls")

_MB = 1_000_000


def costs(characters: int, names: list[str]) -> dict[str, tuple[float, int]]:
    ran = python("-m", "model_tests.tests.web.hostile_pages", str(characters), *names, check=True)
    rows = (line.split("\t") for line in ran.stdout.splitlines())
    return {name: (float(seconds), int(grown)) for name, seconds, grown in rows}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_page_of_1_mb_takes_at_most_1_s_and_50_mb(full: bool) -> None:
    names = list(PAGES) if full else list(_SHORT)
    found = costs(_MB, names)
    assert list(found) == names
    assert {name: cost for name, cost in found.items() if cost[0] > 1 or cost[1] > 50 * _MB} == {}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.long("pages of many megabytes")
def test_time_is_linear_and_memory_bounded_in_far_larger_pages() -> None:
    """14 MB are a million links, or a nesting two million deep; 100 MB of one tag are refused after 4 MiB."""
    many = ["nested divs", "nested lists", "nested links", "links", "the same link", "nulls"]
    for characters, names in (
        (14 * _MB, many),
        (100 * _MB, ["attributes", "a long value", "tags without end"]),
    ):
        found = costs(characters, names)
        bad = {name: cost for name, cost in found.items() if cost[0] > 14 or cost[1] > 200 * _MB}
        assert bad == {}


def read(html: str, limits: Limits) -> Outcome:
    return outcome(URL, Response(200, ((b"content-type", b"text/html"),), html.encode()), limits)


def test_the_limits_of_links_urls_and_tokens() -> None:
    limits = Limits(links=3)
    assert isinstance(read("<a href=1><a href=2#><a href=2#x><a href=3>", limits), Page)
    failed = read("<a href=1><a href=2><a href=3><a href=4>", limits)
    assert (isinstance(failed, FetchFailure) and failed.error, failed.status) == ("too-large", 200)
    limits = Limits(url_chars=len("http://site.test/a/12345"))
    page = read("<a href=12345><a href=123456><a href='http://site.test/a/./././1'>", limits)
    assert isinstance(page, Page)
    assert page.links == ("http://site.test/a/12345",)
    page = read("<base href='/a/b/123456789/'><a href=1>", limits)
    assert isinstance(page, Page)
    assert page.links == ("http://site.test/a/1",)
    # The rest of a page is read in pieces, so a token is known to be too long at the end of one.
    limits = Limits(token_chars=100_000)
    assert not isinstance(read(f"<!--{'x' * 90_000}--><a href=1>", limits), FetchFailure)
    failed = read(f"<!--{'x' * 200_000}--><a href=1>", limits)
    assert isinstance(failed, FetchFailure)
    assert failed.error == "too-large"


def test_a_long_page_is_read_with_pauses_for_timeouts_and_signals() -> None:
    response = Response(200, ((b"content-type", b"text/html"),), b"<a href=x>" * (PIECE // 2))
    assert len(list(reading(URL, response))) == 4
    assert list(reading(URL, Response(200, response.headers, b"<a href=x>"))) == []
