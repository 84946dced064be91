"""Real sites of hundreds of pages: `loopspec crawl` and wget send the same requests and get the same answers.

The sites are documentation packaged by Debian, behind nginx on loopback, over HTTP and HTTPS.  The judge is nginx's
access log: the sets of (method, path, status) must be equal, without exception.  Such sites have no case where the
two differ: see `test_real_wget`.

Parsing takes the time.  In the short forms, three folders, the index and the contents of Python, most of
the bytes of that site, are asked for and not there, and the site behind TLS is the one with many small pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from ...crawls.nginx import POSTGRESQL, PYTHON, Nginx, Package, serve
from ..net.tls import AUTHORITY
from .helpers import Crawled, need, ours, wget

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
