"""The runtime of aiohttp with bad servers: an independent client must give the same error words as ours.

The words are those that aiohttp can tell apart (aiohttp_runtime.ERROR_ALIASES).
"""

from __future__ import annotations

import aiohttp
import pytest

from impl.crawl.crawler import CrawlConfig
from impl.crawl.record import Record, canonical

from ...crawls import aiohttp_runtime
from ...crawls.server import TIMEOUT_S
from ..net.tls import server_context
from .bad_servers import BEHAVIOURS, CASES, OK, BadServer, redirects, sends

#: Cases that cannot be compared: aiohttp has no limit for these ...
APART = {
    *("informs-for-ever", "a-body-for-ever", "chunks-for-ever", "a-chunk-head-for-ever", "a-long-body"),
    *("a-gzip-bomb", "a-deflate-bomb", "a-bomb-in-a-gzip"),
    # ... and for this one its exception depends on the segments.
    "trailers-for-ever",
}
#: Bodies that aiohttp accepts as complete pages: a gzip without its end, and an unknown coding, undecoded.
MORE = {"half-a-gzip", "an-unknown-coding"}


def crawled(server: BadServer, path: str = "", timeout_s: float = TIMEOUT_S) -> dict[str, Record]:
    with server:
        plan = CrawlConfig((server.root + path,), max_tries=1)
        frontier = plan.frontier()
        aiohttp_runtime.crawl(plan, frontier, lambda host, port: (host, port), timeout_s)
    return {row.url.removeprefix(server.root): row for row in canonical(frontier)}


def alias(word: str | None) -> str | None:
    return aiohttp_runtime.ERROR_ALIASES.get(word, word) if word is not None else None


@pytest.mark.parametrize("path", [path for path in CASES if path not in APART])
def test_another_client_says_the_same_of_a_bad_server(path: str) -> None:
    case = CASES[path]
    found = crawled(BadServer(BEHAVIOURS), path, case.timeout_s)
    assert alias(found[path].error) == (None if path in MORE else alias(case.error))


def test_all_that_is_alike_is_alike() -> None:
    """Each row of the table has a case where aiohttp reports the word of another error."""
    for ours, theirs in aiohttp_runtime.ERROR_ALIASES.items():
        paths = [
            path
            for path, case in CASES.items()
            if case.error == ours and path not in APART and path not in MORE
        ]
        said = {crawled(BadServer(BEHAVIOURS), path)[path].error for path in paths}
        assert theirs in said <= {ours, theirs}


def test_redirects_certificates_and_other_errors() -> None:
    server = BadServer({"": redirects(b"Location: /b#f\r\n"), "b": sends(OK, b"\r\n<a href=/>")})
    found = crawled(server)
    expected = {"": (server.root + "b", ()), "b": (None, (server.root,))}
    assert {path: (row.target, row.links) for path, row in found.items()} == expected
    assert server.asked == ["", "b"]
    server = BadServer({"": sends(OK, b"\r\n")}, server_context("127.0.0.1"))
    assert crawled(server)[""].error == "tls"
    assert server.asked == []
    # It ends the crawl, because it has no word.
    with pytest.raises(aiohttp.InvalidURL):
        aiohttp_runtime.word(aiohttp.InvalidURL("nonsense"))
