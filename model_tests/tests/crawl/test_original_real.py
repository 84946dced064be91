"""The defects of the original crawler, each by its number: its behaviour then, and ours, on real sockets.

The original is the code of the chapter (500 Lines, "A Web Crawler With asyncio Coroutines": crawling.py, at its last
change in 2016, and the aiohttp of that time).  "Hangs" means: an exception that `fetch` does not catch ends the worker
silently, its item is never done, and `join` waits for ever.  O0, that it does not start on Python 3.11 and later
(`asyncio.coroutine` was removed), needs no test; there is no O17.  Shown elsewhere, on real sockets too:

- O5 and O6, a network error (an OSError hangs) and a timeout (it has none) are records: ../crawls/test_compare.py;
- O11, a redirect's fragment is dropped (`/b#f` and `/b` were two URLs): ../web/test_interpret.py;
- O13, for a redirect (ValueError in urlsplit, it hangs): "bad-location" of test_bad_servers.py;
- O18, the first discovery fixed how many redirects are left: ../crawls/test_two_schedules.py;
- O19, a page's count of links that were new depended on the order: ../crawls/test_compare.py;
- O20, without any try a failure was recorded with None as its exception: test_crawler.py, test_command_usage.py;
- read only: tries were logged by wrong numbers (crawling.py, the loop in `fetch`): test_command.py.

The 17 behaviours that the original's own tests check are in ../crawls/test_original.py.
"""

from collections import Counter

import pytest

from impl.crawl.crawler import CrawlConfig
from impl.crawl.record import Record
from impl.web.serving.site import Broken, Html, Moved, Raw, Resource, Site

from ...crawls import impl_runtime
from ...crawls.server import Server
from ..crawls.bad_servers import OK, BadServer, Peer
from ..crawls.resources import Requested

pytestmark = pytest.mark.usefixtures("no_descriptor_is_left")
R, A, B, C = (f"http://a.test/{name}" for name in ("", "a", "b", "c"))
OUT, DEEP, QUERY = "http://other.test/", "http://a.test/deep/a", "http://a.test/a?x=1&y=2"
UK, SHOP, OTHER, SHORT, JOINED = (
    f"http://{host}/" for host in ("www.a.co.uk", "shop.a.co.uk", "b.co.uk", "ab.cde", "x.abc.de")
)


def crawled(resources: dict[str, Resource], plan: CrawlConfig) -> tuple[dict[str, Record], Counter[str]]:
    """Crawl a site on real sockets; return the records by URL, and how often each URL was requested."""
    counting = Requested(resources)
    with Server() as server:
        dial = server.dial(Site(counting, plan.canonical_roots()))
        counting.asked.clear()
        rows = impl_runtime.crawl(plan, plan.frontier(), dial)
    return {row.url: row for row in rows}, counting.asked


def crawled_here(server: BadServer, plan: CrawlConfig) -> dict[str, Record]:
    """Crawl a server by its IP address."""
    with server:
        rows = impl_runtime.crawl(plan, plan.frontier(), lambda host, port: (host, port))
    return {row.url.removeprefix(server.root): row for row in rows}


def page(html: str, content_type: str = "text/html; charset=utf-8") -> Raw:
    return Raw(html.encode(), content_type)


def cut_off(charset: str) -> Raw:
    """A page with a link, and bytes that are not of its charset."""
    text = "<a href='/a'>".encode("utf-16-le" if charset == "utf-16" else "ascii")
    return Raw(text + b"\xff\xff\x81", f"text/html; charset={charset}")


DECOYS = (
    "<!-- <a href='/comment'> --><script>'<a href=\"/script\">'</script><a data-href='/data'>d</a>"
    "<link href='/style.css'><p title=\"href='/title'\">"
)
SPELLINGS = ("http://a.test", R, "http://A.TEST/", "http://a.test:80/", "HTTP://a.test/./")
FROM_R = CrawlConfig((R,))

#: By defect: a site, the plan of its crawl, and the URLs that are requested, once each.
SITES: dict[str, tuple[dict[str, Resource], CrawlConfig, set[str]]] = {
    # It checked links only: a redirect led it to any host, whose page it parsed.
    "o1, redirects": ({R: Html((A,)), A: Moved(OUT), OUT: Html((f"{OUT}deep",))}, FROM_R, {R, A}),
    # It decoded with that charset: LookupError, it hangs.
    "o3, a charset": ({R: page(f"<a href='{A}'>\xe9", "text/html; charset=no-such")}, FROM_R, {R, A}),
    # It decoded strictly: UnicodeDecodeError, it hangs.
    **{f"o4, {name}": ({R: cut_off(name)}, FROM_R, {R, A}) for name in ("utf-8", "ascii", "utf-16", "gb18030")},
    # It took `&amp;` literally, and requested another URL.
    "o7, references": (
        {R: page("<a href='/a?x=1&amp;y=2'>a</a> <a href='/&#98;'>b</a>")},
        FROM_R,
        {R, QUERY, B},
    ),
    # It searched the text: it followed comments, scripts and `data-href`, and missed unquoted attributes.
    "o8, elements": ({R: page(f"{DECOYS}<a href=/a>a</a><A HREF = /b >b</A>")}, FROM_R, {R, A, B}),
    # It joined links to the page's URL, and ignored `<base href>`.
    "o9, a base": ({R: page("<base href=/deep/><a href=a>a</a>")}, FROM_R, {R, DEEP}),
    # It knew 300, 301, 302, 303 and 307, and took a 308 for a page.
    "o10, a 308": ({R: Moved(A, 308), A: Html()}, FROM_R, {R, A}),
    # It fetched these as four, or more; an empty query is kept, as in the URL standard.
    "o12, spellings": (
        {R: page("".join(f"<a href='{each}'>" for each in (*SPELLINGS, "?", "")))},
        CrawlConfig(SPELLINGS),
        {R, f"{R}?"},
    ),
    # ValueError in urlsplit, it hangs.
    "o13, no URL": ({R: page("<a href='http://[bad/'>[</a><a href=/a>a</a>")}, FROM_R, {R, A}),
    # It parsed text/html and application/xml only.
    "o14, XHTML": ({R: page("<a href='/a'>a</a>", "application/xhtml+xml")}, FROM_R, {R, A}),
    # It joined the last two labels with nothing, so ab.cde was abc.de; and all of *.co.uk was one site.
    "o15, suffixes": (
        dict.fromkeys((UK, SHOP, OTHER, SHORT, JOINED), Html((SHOP, OTHER, JOINED))),
        CrawlConfig((UK, SHORT), strict=False),
        {UK, SHOP, SHORT},
    ),
    # It compared "user:secret@a.test" with "a.test", and refused the root's own pages.
    "o16, userinfo": ({R: Html((A,)), A: Html((B,))}, CrawlConfig(("http://u:secret@a.test/",)), {R, A, B}),
    # It kept the fragment of a root, and fetched the same page again when a link led to it.
    "o21, a fragment": (
        {R: page("<a href='/#top'>top</a><a href='/'>home</a>")},
        CrawlConfig((f"{R}#top", f"{R}#end")),
        {R},
    ),
}


@pytest.mark.parametrize(("resources", "plan", "asked"), SITES.values(), ids=SITES)
def test_what_is_requested(resources: dict[str, Resource], plan: CrawlConfig, asked: set[str]) -> None:
    rows, requests = crawled(resources, plan)
    assert requests == dict.fromkeys(asked, 1)
    assert set(rows) == asked


def test_o2_300_without_a_location_is_an_error() -> None:
    """The original took 300 for a redirect and read its Location unconditionally: KeyError, it hangs."""
    site: dict[str, Resource] = {R: Html((A, B)), A: Broken("status", 300), B: Broken("no-location")}
    found, _ = crawled(site, FROM_R)
    errors = {R: (None, 200), A: ("status", 300), B: ("location", 302)}
    assert {url: (row.error, row.status) for url, row in found.items()} == errors


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


@pytest.mark.parametrize("fault", ["reset", "half"])
def test_read_a_body_that_breaks_off_is_tried_again(fault: str) -> None:
    """Read: only `session.get` is in the `try`, and it returns with the headers: an error in the body, which
    `parse_links` reads, is not retried and not caught: it hangs.  Source: crawling.py, `fetch` and `parse_links`;
    aiohttp's documentation of ClientPayloadError.
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
