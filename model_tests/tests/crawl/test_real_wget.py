"""Cases where `loopspec crawl` and wget differ, or might seem to: each named, on a site made of them.

One page has every case, behind nginx; nginx's access log has the requests of each crawler.  Both sides are asserted
exactly: ours, because a standard requires it (HTML: the HTML standard; URL: the URL standard; both WHATWG); wget's, so
that a difference that disappears is noticed.  A request beyond the tables is an error on either side. wget is GNU Wget
1.x (tried: 1.21.3).
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from ...crawls.nginx import Nginx, serve
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
    Difference(
        "<a href='based/'>", ("/based/", "/new/b"), ("/based/", "/based/b"), "HTML: the first base counts"
    ),
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
