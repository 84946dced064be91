"""`loopspec crawl` and wget on the same sites, behind nginx on loopback; the judge is nginx's access log.

On real sites of hundreds of pages, over HTTP and HTTPS, both send the same requests and get the same answers: the sets
of (method, path, status) must be equal, without exception.  The sites are documentation packaged by Debian, which has
no case where the two differ.  Parsing takes the time.  In the short forms, three folders, the index and the contents
of Python, most of the bytes of that site, are asked for and not there, and the site behind TLS is the one with many
small pages.

The cases where the two differ, or might seem to, are named, on one page made of them.  Both sides are asserted
exactly: ours, because a standard requires it (HTML: the HTML standard; URL: the URL standard; both WHATWG); wget's, so
that a difference that disappears is noticed.  A request beyond the tables is an error on either side. wget is GNU Wget
1.x (tried: 1.21.3).
"""

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import pytest

from ...crawls.nginx import POSTGRESQL, PYTHON, Nginx, Package, serve
from ..net.tls import AUTHORITY
from .helpers import Crawled, need, ours, wget


class Difference(NamedTuple):
    """Mark-up, the paths that each crawler requests because of it, and the reason for ours."""

    html: str
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    why: str


#: Mark-up, and the paths that both request because of it.
AGREED: Final = (
    *(("<!-- <a href='comment'> -->", ()), ("<a data-href='data'>", ())),
    ("<a title='<a href=in-a-title>'>", ()),
    ("<link rel=next href=link><img src=image><iframe src=frame></iframe>", ()),
    ("<meta http-equiv=refresh content='1; url=refresh'>", ()),
    ("<a href='javascript:x'><a href='mailto:a@b'><a href='data:text/html,x'><a href='http://[x/'>", ()),
    ("<a href='http://other.invalid/'><a href='ftp://127.0.0.1/'>", ()),
    ("<a href=''><a href='#top'><a href='index.html#top'>", ("/index.html",)),
    ("<noscript><a href='noscript'></noscript>", ("/noscript",)),
    *(("<map name=m><area href=area></map>", ("/area",)), ("<A HREF=capital>", ("/capital",))),
    *(("<a\nhref\n=\n'line ends'>", ("/line%20ends",)), ("<a href=' around '>", ("/around",))),
    ("<a href='with\nin'>", ("/within",)),
    ("<a href='fragment#a'><a href='fragment#b'>", ("/fragment",)),
    ("<a href='query?b=1&amp;a=2'><a href='query?b=1&a=2'>", ("/query?b=1&a=2",)),
    ("<a href='query?a=2&b=1'><a href='query?'>", ("/query?a=2&b=1", "/query?")),
    ("<a href='%e9'><a href='é'><a href='%41'>", ("/%e9", "/%C3%A9", "/%41")),
    ("<a href='[1]'><a href='{1}'><a href='semi;p=1'>", ("/[1]", "/%7B1%7D", "/semi;p=1")),
    ("<a href='./a/../b/../../../above'><a href='double//slash'>", ("/above", "/double//slash")),
    ("<a href='numeric&#x2d;'><a href='name&copy=1'>", ("/numeric-", "/name&copy=1")),
    ("<a href='directory'>", ("/directory", "/directory/", "/directory/page")),
    ("<a href='text.txt'><a href='broken'>", ("/text.txt", "/broken")),
    ("<a href='301'><a href='302'><a href='303'>", ("/301", "/302", "/303", "/moved")),
    ("<a href='307'><a href='308'>", ("/307", "/308")),
    ("<a href='circle-1'>", ("/circle-1", "/circle-2")),
)
BOTH: Final = {path for _, paths in AGREED for path in paths}

DIFFERENCES: Final = (
    Difference(r"<a href='back\slash'>", ("/back/slash",), ("/back%5Cslash",), r'URL: "\" is a "/" in http'),
    Difference("<a href='a\tb'>", ("/ab",), ("/a%09b",), "URL: tabs do not count, as line ends do not"),
    Difference("<a href='a|b'>", ("/a|b",), ("/a%7Cb",), 'URL: "|" is not among what is escaped in a path'),
    Difference("<a href='a%b'>", ("/a%b",), ("/a%25b",), 'URL: "%" is not escaped, escape or not'),
    Difference("<a href='%7Eu'><a href='~u'>", ("/%7Eu", "/~u"), ("/%7Eu",), "URL: an escape is not undone"),
    Difference("<a href='%2e%2E/dots'>", ("/dots",), ("/%2e%2E/dots",), 'URL: "%2e" is a dot, also in ".."'),
    Difference("<a href='http:same'>", ("/same",), (), "URL: the scheme of the base, no slash: relative"),
    Difference("<a href='&eacute;a'>", ("/%C3%A9a",), ("/&eacute;a",), "HTML: references have names"),
    Difference("<a/href='solidus'>", ("/solidus",), (), "HTML: a solidus separates, as a space does"),
    Difference("<a href='one' href='two'>", ("/one",), ("/one", "/two"), "HTML: a second attribute is none"),
    Difference("<script>'<a href=js>'</script>", (), ("/js",), "HTML: no element in a script"),
    Difference("<style>/*<a href=css>*/</style>", (), ("/css",), "HTML: nor in a style sheet"),
    Difference("<textarea><a href=typed></textarea>", (), ("/typed",), "HTML: nor in a text area"),
    Difference("<title><a href=title></title>", (), ("/title",), "HTML: nor in a title"),
    Difference("<template><a href=template></template>", (), ("/template",), "HTML: nor in a template"),
    Difference("<a href='based/'>", ("/based/", "/new/b"), ("/based/", "/based/b"), "HTML: the first base counts"),
    Difference("<a href='leave'>", ("/leave",), ("/leave", "/left"), "it, too, stays on the roots' hosts"),
)

FILES: Final = {
    "directory/index.html": "<a href='page'>",
    "based/index.html": "<base href='../new/'><base href='/second/'><a href='b'>",
    "text.txt": "<a href='from-text'>",
}
RULES: Final = (
    *(f"location = /{status} {{ return {status} /moved; }}" for status in (301, 302, 303, 307, 308)),
    "location = /circle-1 { return 302 /circle-2; }",
    "location = /circle-2 { return 302 /circle-1; }",
    "location = /leave { return 302 http://localhost:$server_port/left; }",
    "location = /broken { return 500 '<a href=from-an-error>'; }",
)


@pytest.fixture(scope="module")
def server() -> Iterator[Nginx]:
    need()
    with tempfile.TemporaryDirectory() as name:  # pytest's own are readable by their owner only
        root = Path(name)
        root.chmod(0o755)
        cases = [html for html, _ in AGREED] + [case.html for case in DIFFERENCES]
        # Elements are closed, so that no case becomes a part of the one before.
        body = "\n".join(f"<p>{html}x</a>" for html in cases)
        for path, text in {"index.html": f"<!DOCTYPE html><meta charset=utf-8>{body}", **FILES}.items():
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        with serve(root, rules=RULES) as running:
            yield running


def asked(crawled: Crawled) -> set[str]:
    assert {asked.method for asked in crawled.asked} == {"GET"}
    return {asked.path for asked in crawled.asked}


def test_what_ours_asks_for_is_what_the_standards_say(server: Nginx) -> None:
    own = ours(server, f"{server.url}index.html")
    assert own.exit_status == 0
    assert asked(own) == BOTH.union(*(case.ours for case in DIFFERENCES))
    assert set(Counter(asked.path for asked in own.asked).values()) == {1}


def test_what_wget_asks_for_differs_in_what_is_named(server: Nginx) -> None:
    peer = wget(server, f"{server.url}index.html")
    assert asked(peer) == BOTH.union(*(case.theirs for case in DIFFERENCES))
    # It follows a circle of redirects to its limit of 20; all else is requested once.
    often = {path for path, count in Counter(asked.path for asked in peer.asked).items() if count > 1}
    assert often == {"/circle-1", "/circle-2", "/moved"}


def test_every_difference_is_one() -> None:
    assert [case.why for case in DIFFERENCES if set(case.ours) == set(case.theirs)] == []


# --- real sites -------------------------------------------------------------------------------------------------------

NOT_THERE = "location ~ ^/(library|whatsnew|c-api|genindex-|contents) { return 404; }"


def judge(own: Crawled, peer: Crawled, scheme: str) -> None:
    """Check that both sent the same requests, and that ours sent each once and reports the server's answers."""
    assert own.exit_status == 0
    assert peer.exit_status in (0, 8)  # 8: a link was broken
    assert own.pages ^ peer.pages == set()
    assert {asked.scheme for asked in own.asked + peer.asked} == {scheme}
    assert len(own.asked) == len(own.pages)
    reported = {("GET", urlsplit(record["url"]).path, record["status"]) for record in own.records}
    assert reported == own.pages
    assert {record["tries"] for record in own.records} == {1}


@pytest.mark.parametrize(
    ("package", "at_least"),
    [
        pytest.param(PYTHON, 500, id="python"),
        pytest.param(POSTGRESQL, 1000, id="postgresql", marks=pytest.mark.long("a second site")),
    ],
)
def test_the_same_pages_as_wget(package: Package, at_least: int, full: bool) -> None:
    [root] = need(package)
    with serve(root, rules=[] if full else [NOT_THERE]) as server:
        url = f"{server.url}index.html"
        own, peer = ours(server, url), wget(server, url)
    judge(own, peer, "http")
    assert len(own.pages) >= (at_least if full else 400)  # some are linked from the contents only


def test_the_same_pages_as_wget_where_robots_txt_is_obeyed() -> None:
    """Ours asks for it first, wget after the first page, and neither for a URL that it forbids."""
    [root] = need(PYTHON)
    forbidden = ("/library/", "/whatsnew/2", "/c-api/", "/contents", "/genindex-")
    rules = "User-agent: *\\n" + "".join(f"Disallow: {path}\\n" for path in forbidden)
    with serve(root, rules=[f"location = /robots.txt {{ return 200 '{rules}'; }}"]) as server:
        url = f"{server.url}index.html"
        own, peer = ours(server, url, robots=True), wget(server, url, robots=True)
    assert own.pages ^ peer.pages == set()
    assert own.asked[0].path == "/robots.txt"
    assert [asked.path for asked in own.asked if asked.path.startswith(forbidden)] == []
    assert {row["error"] for row in own.records if "/library/" in row["url"]} == {"robots"}
    assert 50 < len(own.pages) < 300


@pytest.fixture
def secure(tmp_path: Path, full: bool) -> Iterator[tuple[Nginx, str, Path]]:
    """A site over HTTPS, its root, and the file of the authority that vouches for it."""
    [root] = need(PYTHON if full else POSTGRESQL)
    authority = tmp_path / "authority.pem"
    AUTHORITY.cert_pem.write_to_path(authority)
    pem = AUTHORITY.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.bytes()
    with serve(root, pem) as server:
        yield server, f"{server.tls_url}index.html", authority


@pytest.mark.long("the crawl over HTTP is in the short form")
def test_the_same_pages_as_wget_over_https(secure: tuple[Nginx, str, Path]) -> None:
    server, url, authority = secure
    own, peer = ours(server, url, authority), wget(server, url, authority)
    judge(own, peer, "https")
    assert len(own.pages) >= 500


def test_an_untrusted_certificate_is_a_record(secure: tuple[Nginx, str, Path]) -> None:
    server, url, _ = secure
    own = ours(server, url)
    assert own.exit_status == 0
    assert own.asked == []
    assert [(record["url"], record["error"]) for record in own.records] == [(url, "tls")]
