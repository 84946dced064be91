"""The defects of the original crawler, each by its number: its behaviour then, and ours, on real sockets.

The original is the code of the chapter (500 Lines, "A Web Crawler With asyncio Coroutines": crawling.py, at its last
change in 2016, and the aiohttp of that time).  "Hangs" means: an exception that `fetch` does not catch ends the worker
silently, its item is never done, and `join` waits for ever.  Here each of these sites is crawled to its end by our
crawler on real sockets.  O0, that it does not start on Python 3.11 and later (`asyncio.coroutine` was removed), needs
no test; there is no O17.  The last three were found by reading only.

The 17 behaviours that the original's own tests check are in test_original.py; they run on real sockets too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from impl.crawl import command
from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.crawl.results.record import Record, comparable
from impl.web.serving.site import Broken, Html, Moved, Raw, Resource, Site

from ...crawls import real_runtime
from ...crawls.server import TIMEOUT_S, Server
from ...mutants.frontiers import FrontierFirstDiscoveryWins
from ..crawls.requested import Requested
from ..net.helpers import no_descriptor_more
from .bad_servers import OK, BadServer, Peer, redirects, sends

R, A, B, C, D = (f"http://a.test/{name}" for name in ("", "a", "b", "c", "d"))


class Crawled(NamedTuple):
    """The records by URL, and how often each URL was requested."""

    rows: dict[str, Record]
    asked: Counter[str]


def crawled(
    resources: dict[str, Resource],
    plan: CrawlConfig,
    *,
    timeout_s: float = TIMEOUT_S,
    failing: dict[str, int] | None = None,
    frontier: Frontier | None = None,
) -> Crawled:
    """Crawl a site on real sockets; `failing`: URLs, and how many requests for each get a reset."""
    counting = Requested(resources, failing)
    with Server() as server:
        dial = server.dial(Site(counting, plan.canonical_roots()))
        counting.asked.clear()
        rows = real_runtime.crawl(plan, frontier or plan.frontier(), dial, timeout_s)
    return Crawled({row.url: row for row in rows}, counting.asked)


def crawled_here(server: BadServer, plan: CrawlConfig) -> dict[str, Record]:
    """Crawl a server by its IP address."""
    with server:
        rows = real_runtime.crawl(plan, plan.frontier(), lambda host, port: (host, port))
    return {row.url.removeprefix(server.root): row for row in rows}


def page(html: str, content_type: str = "text/html; charset=utf-8") -> Raw:
    return Raw(html.encode(), content_type)


@pytest.fixture(autouse=True)
def _no_descriptor_is_left() -> Iterator[None]:
    with no_descriptor_more():
        yield


def test_o1_a_redirect_does_not_leave_the_host() -> None:
    """The original checked links only: a redirect led it to any host, whose page it parsed."""
    out = "http://other.test/"
    found = crawled({R: Html((A,)), A: Moved(out), out: Html((f"{out}deep",))}, CrawlConfig((R,)))
    assert sorted(found.rows) == [R, A]
    assert found.rows[A].target == out
    assert found.asked == {R: 1, A: 1}


def test_o2_300_without_a_location_is_an_error() -> None:
    """The original took 300 for a redirect and read its Location unconditionally: KeyError, it hangs."""
    found = crawled(
        {R: Html((A, B, C)), A: Broken("status", 300), B: Broken("no-location"), C: Html()}, CrawlConfig((R,))
    )
    assert {url: (row.error, row.status) for url, row in found.rows.items()} == {
        R: (None, 200),
        A: ("status", 300),
        B: ("location", 302),
        C: (None, 200),
    }


@pytest.mark.parametrize(
    "of_root",
    [
        # O3, the original decoded with that charset: LookupError, it hangs.
        pytest.param(page(f"<a href='{A}'>\xe9", "text/html; charset=no-such"), id="o3, an unknown charset"),
        # O14, the original parsed text/html and application/xml only.
        pytest.param(page("<a href='/a'>a</a>", "application/xhtml+xml"), id="o14, XHTML"),
        # O13, the original: ValueError in urlsplit, it hangs; a target is below.
        pytest.param(page("<a href='http://[bad/'>[</a><a href=/a>a</a>"), id="o13, a malformed URL"),
    ],
)
def test_o3_o13_o14_the_links_of_a_page_are_found(of_root: Raw) -> None:
    assert sorted(crawled({R: of_root, A: Html()}, CrawlConfig((R,))).rows) == [R, A]


@pytest.mark.parametrize("charset", ["utf-8", "ascii", "utf-16", "gb18030"])
def test_o4_a_body_that_is_not_of_its_charset_is_read_as_far_as_it_is(charset: str) -> None:
    """The original decoded strictly: UnicodeDecodeError, it hangs."""
    text = "<a href='/a'>".encode("utf-16-le" if charset == "utf-16" else "ascii")
    body = Raw(text + b"\xff\xff\x81", f"text/html; charset={charset}")
    assert sorted(crawled({R: body, A: Html()}, CrawlConfig((R,))).rows) == [R, A]


def test_o5_a_network_error_is_a_record() -> None:
    """The original caught aiohttp's ClientError only: with an OSError of the network, it hangs."""
    down, gone = "http://down.a.test/", "http://gone.a.test/"
    site: dict[str, Resource] = {
        R: Html((A, B, down, gone, C)),
        A: Broken("reset"),
        B: Broken("incomplete"),
        down: Broken("refused"),
        gone: Broken("no-such-host"),
        C: Html(),
    }
    found = crawled(site, CrawlConfig((R,), strict=False, max_tries=2))
    assert {url: (row.error, row.tries) for url, row in found.rows.items()} == {
        R: (None, 1),
        A: ("reset", 2),
        B: ("incomplete", 2),
        down: ("refused", 2),
        gone: ("no-such-host", 2),
        C: (None, 1),
    }


def test_o6_a_timeout_is_a_record() -> None:
    """The original had no timeout of its own, and aiohttp's is no ClientError: TimeoutError, it hangs."""
    found = crawled(
        {R: Broken("silent"), A: Broken("silent")}, CrawlConfig((R, A), max_tries=2), timeout_s=0.2
    )
    assert {url: (row.error, row.tries) for url, row in found.rows.items()} == {
        R: ("timeout", 2),
        A: ("timeout", 2),
    }


def test_o7_character_references_are_read() -> None:
    """The original took `&amp;` literally, and requested another URL."""
    found = crawled({R: page("<a href='/a?x=1&amp;y=2'>a</a> <a href='/&#98;'>b</a>")}, CrawlConfig((R,)))
    assert found.rows[R].links == ("http://a.test/a?x=1&y=2", B)
    assert found.asked["http://a.test/a?x=1&y=2"] == 1


def test_o8_links_are_those_of_elements() -> None:
    """The original searched the text: it followed comments, scripts and `data-href`, and missed unquoted attributes."""
    decoys = (
        "<!-- <a href='/comment'> --><script>'<a href=\"/script\">'</script><a data-href='/data'>d</a>"
        "<link href='/style.css'><p title=\"href='/title'\">"
    )
    found = crawled(
        {R: page(f"{decoys}<a href=/a>a</a><A HREF = /b >b</A>"), A: Html(), B: Html()}, CrawlConfig((R,))
    )
    assert found.asked == {R: 1, A: 1, B: 1}


def test_o9_the_base_of_a_page_counts() -> None:
    """The original joined links to the page's URL, and ignored `<base href>`."""
    deep = "http://a.test/deep/"
    found = crawled({R: page("<base href=/deep/><a href=a>a</a>"), f"{deep}a": Html()}, CrawlConfig((R,)))
    assert found.asked == {R: 1, f"{deep}a": 1}


def test_o10_308_is_followed() -> None:
    """The original knew 300, 301, 302, 303 and 307, and took a 308 for a page."""
    found = crawled({R: Moved(A, 308), A: Html()}, CrawlConfig((R,)))
    assert [(row.outcome, row.status) for row in found.rows.values()] == [("redirect", 308), ("page", 200)]


def test_o11_the_fragment_of_a_redirect_is_dropped() -> None:
    """The original kept it: `/b#f` and `/b` were two URLs, fetched twice."""
    answers = {
        "": sends(OK, b"\r\n<a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>"),
        "a": redirects(b"Location: /b#f\r\n"),
        "b": sends(OK, b"\r\n"),
        "c": redirects(b"Location: /b#\r\n"),
    }
    server = BadServer(answers)
    found = crawled_here(server, CrawlConfig((server.root,)))
    assert sorted(server.asked) == ["", "a", "b", "c"]
    assert found["a"].target == found["c"].target == server.root + "b"


def test_o12_one_url_has_one_spelling() -> None:
    """The original fetched these as four, or more."""
    roots = ("http://a.test", "http://a.test/", "http://A.TEST/", "http://a.test:80/", "HTTP://a.test/./")
    spellings = (*roots, "?", "")
    links = "".join(f"<a href='{spelling}'>" for spelling in spellings)
    found = crawled({R: page(links)}, CrawlConfig(roots))
    assert found.asked == {R: 1, "http://a.test/?": 1}  # an empty query is kept, as in the URL standard


def test_o13_a_malformed_url_is_no_target() -> None:
    """The original: ValueError in urlsplit, it hangs."""
    server = BadServer({"": redirects(b"Location: http://[bad/\r\n")})
    assert crawled_here(server, CrawlConfig((server.root,)))[""].error == "location"


def test_o15_lenient_knows_public_suffixes() -> None:
    """The original joined the last two labels with nothing, so ab.cde was abc.de; and all of *.co.uk was one site."""
    root, sub, other = "http://www.a.co.uk/", "http://shop.a.co.uk/", "http://b.co.uk/"
    short, joined = "http://ab.cde/", "http://x.abc.de/"
    links = Html((sub, other, joined))
    site: dict[str, Resource] = {root: links, sub: links, short: links, other: Html(), joined: Html()}
    assert sorted(crawled(site, CrawlConfig((root, short), strict=False)).rows) == sorted([root, sub, short])


def test_o16_a_root_with_userinfo_has_its_host() -> None:
    """The original compared "user:secret@a.test" with "a.test", and refused the root's own pages."""
    root = "http://user:secret@a.test/"
    found = crawled({R: Html((A,)), A: Html((B,)), B: Html()}, CrawlConfig((root,)))
    assert found.asked == {R: 1, A: 1, B: 1}
    assert all(row.outcome == "page" for row in found.rows.values())


@pytest.mark.parametrize("slow", [A, B])
def test_o18_the_result_does_not_depend_on_timing(slow: str) -> None:
    """The original let the first discovery of c fix how many redirects are left: where b was faster, d was lost."""
    site: dict[str, Resource] = {
        R: Html((A, B)),
        A: Html((C,), 50 * (slow == A)),
        B: Moved(C, 302, 50 * (slow == B)),
        C: Moved(D),
        D: Html(),
    }
    found = crawled(site, CrawlConfig((R,), max_redirect=1))
    assert {url: row.budget for url, row in found.rows.items()} == {R: 1, A: 1, B: 1, C: 1, D: 0}


def test_o18_on_one_worker_the_order_of_links_loses_a_page_by_the_original_rule() -> None:
    """The order of links that loses a page, by the original's rule on the same sockets."""
    for links, fetched in (((A, B), [R, A, B, C, D]), ((B, A), [R, A, B, C])):
        site: dict[str, Resource] = {R: Html(links), A: Html((C,)), B: Moved(C), C: Moved(D), D: Html()}
        plan = CrawlConfig((R,), max_redirect=1, max_tasks=1)
        assert sorted(crawled(site, plan, frontier=FrontierFirstDiscoveryWins(1)).rows) == fetched
        assert sorted(crawled(site, plan).rows) == [R, A, B, C, D]


def test_o19_no_record_depends_on_order() -> None:
    """The original counted for each page the links that were new *then*: the first page had more."""
    pages = {f"http://a.test/{i}": Html((A, B, f"http://a.test/{i + 1}"), 3 * (i % 2)) for i in range(8)}
    site: dict[str, Resource] = {R: Html((*pages,)), A: Moved(B), B: Html(), **pages}
    results = [
        [comparable(row) for row in crawled(site, CrawlConfig((R,), max_tasks=workers)).rows.values()]
        for workers in (1, 3, 10)
    ]
    assert results[0] == results[1] == results[2]
    assert len(results[0]) == len(site) + 1


def test_o20_no_try_at_all_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The original sent no request, and recorded a failure whose exception was None."""
    with pytest.raises(ValueError, match="max_tries must be 1 or more, not 0"):
        CrawlConfig((R,), max_tries=0)
    assert command.main(["--max-tries", "0", R]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "--max-tries" in err


def test_o21_a_root_with_a_fragment_is_fetched_once() -> None:
    """The original kept the fragment of a root, and fetched the same page again when a link led to it."""
    found = crawled(
        {R: page("<a href='/#top'>top</a><a href='/'>home</a>")}, CrawlConfig((f"{R}#top", f"{R}#end"))
    )
    assert found.asked == {R: 1}
    assert found.rows[R].links == (R,)


def test_read_connections_are_closed_at_the_end() -> None:
    """Read: `Crawler.close` calls `self.session.close()`, and in aiohttp 3 that is a coroutine: never awaited, it
    closes nothing.  Source: crawling.py, `close`; aiohttp's documentation of ClientSession.close.

    Here a connection that both ends keep is closed when the crawl ends: the server sees the client leave.
    """
    kept = []

    def keeps(peer: Peer) -> None:
        peer.send(OK + b"Content-Length: 0\r\n\r\n")
        kept.append(peer.client_left(20.0))

    server = BadServer({"": keeps})
    assert crawled_here(server, CrawlConfig((server.root,)))[""].outcome == "page"
    assert kept == [True]


@pytest.mark.parametrize("failing", range(4))
def test_read_tries_are_counted_as_they_are(failing: int) -> None:
    """Read: `tries` counts the failed ones, but is logged as the number of the try, and only if `tries > 1`: a success
    at the second try is not logged, one at the third is logged as "try 2".  Source: crawling.py, the loop in `fetch`.

    Here the record has the number of tries, the successful one included.
    """
    found = crawled({R: Html()}, CrawlConfig((R,), max_tries=4), failing={R: failing})
    assert (found.rows[R].outcome, found.rows[R].tries, found.asked[R]) == ("page", failing + 1, failing + 1)


@pytest.mark.parametrize("fault", ["reset", "half"])
def test_read_a_body_that_breaks_off_is_tried_again(fault: str) -> None:
    """Read: only `session.get` is in the `try`, and it returns with the headers: the body is read later, in
    `parse_links`.  An error there is not retried and not caught: it hangs.  Source: crawling.py, `fetch` and
    `parse_links`; aiohttp's documentation of ClientPayloadError.

    Here a try ends with the body.
    """
    asked = []

    def breaks_off_twice(peer: Peer) -> None:
        asked.append(peer.path)
        peer.send(OK + b"Content-Length: 10\r\n\r\n12345")
        if len(asked) == 3:
            peer.send(b"67890")
        elif fault == "reset":
            peer.reset()

    server = BadServer({"": breaks_off_twice})
    found = crawled_here(server, CrawlConfig((server.root,), max_tries=3))
    assert (found[""].outcome, found[""].size, found[""].tries, len(asked)) == ("page", 10, 3, 3)
