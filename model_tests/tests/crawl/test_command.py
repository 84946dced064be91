"""`loopspec crawl` on a real server on loopback: its options, its report, its file, https; a crawl from Python."""

from __future__ import annotations

import gc
import json
import os
import socket
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from impl import get_running_loop
from impl.crawl.commands.command_line import read
from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.frontier import Frontier
from impl.crawl.options import CrawlOptions
from impl.crawl.progress import text
from impl.crawl.real import crawl
from impl.web.http import Client, Send
from impl.web.limits import Limits
from impl.web.outcome import FetchFailure, Page
from impl.web.serving.site import Broken, Html, Moved, Raw, Site

from ...crawls.server import Server
from ..fixtures import Captured, Patch
from ..net.tls import AUTHORITY, server_context
from .helpers import RealSite, page


def test_a_crawl_reports_what_it_found(web: RealSite) -> None:
    web.serve({"": page("a", "b", "c"), "a": Moved(f"{web.root}b", 301), "b": Raw(b"text", "text/plain")})
    status, out, err = web.crawl()
    assert (status, err) == (1, [])
    assert out[0].startswith("4 URLs in ")
    assert out[0].endswith(" URLs a second")
    assert "virtual" not in out[0]
    assert out[1:] == [
        "  outcome   page 2   redirect 1   error 1",
        "  status    200 2   301 1   404 1",
        "  error     status 1",
        "  size      48 bytes",
        "",
        "errors (1)",
        f"  404          {web.root}c",
        f"      from {web.root}, line 1",
    ]


def test_verbose_is_a_line_for_each_url_and_quiet_is_none(web: RealSite) -> None:
    web.serve({"": page("a")})
    _, out, err = web.crawl("-v")
    expected = [["200", web.root, "1", "links"], ["404", f"{web.root}a", "status"], []]
    assert [line.split()[2:] for line in out[:3]] == expected
    assert out[3].startswith("2 URLs in ")
    _, quiet, quiet_err = web.crawl("-q")
    assert quiet[1:] == out[4:]
    assert err == quiet_err == []


def test_json_has_a_line_for_each_url(web: RealSite, tmp_path: Path) -> None:
    web.serve({"": page("b", "a"), "a": Moved(f"{web.root}b", 308)})
    found = web.records(tmp_path)
    assert list(found) == ["", "a", "b"]
    assert found[""]["links"] == [f"{web.root}a", f"{web.root}b"]
    assert (found["a"]["target"], found["a"]["status"], found["b"]["error"]) == (*(f"{web.root}b", 308, "status"),)


def test_several_roots_and_one_without_a_scheme(web: RealSite) -> None:
    web.serve({"a": page("../b")})
    assert web.crawl(f"{web.root}a", f"{web.root}c")[0] == 1
    assert sorted(web.asked) == [f"{web.root}{path}" for path in ("", "a", "b", "c")]
    web.serve({})
    web.root = f" 127.0.0.1:{web.port} "
    assert web.crawl()[1][0].startswith("1 URL in ")
    assert list(web.asked) == [f"http://127.0.0.1:{web.port}/"]


def test_the_host_rule_and_exclude_hold_for_links_and_targets(web: RealSite, tmp_path: Path) -> None:
    elsewhere = f"http://localhost:{web.port}/"
    web.serve({"": page("out", elsewhere, "in"), "out": Moved(f"{elsewhere}x"), "in": Moved(f"{web.root}y")})
    found = web.records(tmp_path)
    assert list(found) == ["", "in", "out", "y"]
    assert (found["out"]["outcome"], found["out"]["target"]) == ("redirect", f"{elsewhere}x")
    assert sum(web.asked.values()) == 4
    web.serve({"": page("private/a", "moved", "a"), "moved": Moved(f"{web.root}private/b"), "a": page()})
    assert list(web.records(tmp_path, "--exclude", "/priv.te/")) == ["", "a", "moved"]
    assert sum(web.asked.values()) == 3


@pytest.mark.parametrize(("option", "hosts"), [("--strict", "a www.a"), ("--lenient", "a b www.a")])
def test_strict_lenient(web: RealSite, tmp_path: Path, monkeypatch: Patch, option: str, hosts: str) -> None:
    """Names under one registered domain; not those that are equal in their last two labels only."""
    names = {f"{name}.co.uk": name for name in ("a.site", "b.site", "www.a.site", "a.other")}
    asked = socket.getaddrinfo

    def lookup(host: str, *rest: Any, **more: Any) -> Any:  # Any: as in the original
        return asked("127.0.0.1" if host in names else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    urls = [f"http://{name}:{web.port}/" for name in names]
    web.root = urls[0]
    web.server.dial(Site(dict.fromkeys(urls, Html(tuple(urls))), ()))
    path = tmp_path / "records.json"
    assert web.crawl("--json", str(path), option, "--private")[0] == 0
    found = [json.loads(line)["url"] for line in path.read_text("ascii").splitlines()[1:]]
    assert sorted(found) == [f"http://{host}.site.co.uk:{web.port}/" for host in hosts.split()]


@pytest.mark.parametrize("option", ["--max-redirect", "--max_redirect"])
def test_max_redirect(web: RealSite, option: str) -> None:
    web.serve({"": Moved(f"{web.root}a"), "a": Moved(f"{web.root}b"), "b": Moved(f"{web.root}c")})
    _, out, _ = web.crawl(option, "2")
    assert sorted(web.asked) == [web.root, f"{web.root}a", f"{web.root}b"]
    assert out[-2:] == ["redirects not followed: budget used up (1)", f"  {web.root}b -> {web.root}c"]


@pytest.mark.parametrize(("option", "fails", "error"), [("--max-tries", 2, None), ("--max_tries", 3, "reset")])
def test_max_tries(web: RealSite, tmp_path: Path, option: str, fails: int, error: str | None) -> None:
    web.serve({"": page()}, {"": fails})
    [row] = web.records(tmp_path, option, "3", "--backoff", "0.01").values()
    assert (row["error"], row["tries"]) == (error, 3)


@pytest.mark.parametrize("option", ["--max-tasks", "--max_tasks"])
def test_max_tasks(web: RealSite, monkeypatch: Patch, option: str) -> None:
    most = 0

    class Watched(Frontier):
        def start(self, url: str) -> None:
            nonlocal most
            super().start(url)
            most = max(most, len(self.in_flight))

    monkeypatch.setattr("impl.crawl.crawler.Frontier", Watched)
    slow = dict.fromkeys("abcdefgh", Html(latency_ms=20))
    web.serve({"": page(*slow), **slow})
    web.crawl(option, "3")
    assert most == 3


def test_a_limit_and_the_timeout_bound_a_try(web: RealSite, tmp_path: Path) -> None:
    web.serve({"": page("a", "b"), "a": Raw(bytes(100), "text/plain"), "b": Raw(bytes(101), "text/plain")})
    found = web.records(tmp_path, "--limit", "body_bytes=100")
    assert {path: row["error"] for path, row in found.items()} == {"": None, "a": None, "b": "too-large"}
    web.serve({"": Broken("silent")})
    [row] = web.records(tmp_path, "--timeout", "0.05", "--max-tries", "2").values()
    assert (row["error"], row["tries"]) == ("timeout", 2)


@pytest.fixture
def https(
    request: pytest.FixtureRequest, capsys: Captured, tmp_path: Path, monkeypatch: Patch, one_process: None
) -> Iterator[RealSite]:
    """Serve with the certificate that the test requests, on a system that trusts our authority."""
    store = tmp_path / "authority.pem"
    AUTHORITY.cert_pem.write_to_path(str(store))
    monkeypatch.setenv("SSL_CERT_FILE", str(store))
    with Server(request.param) as server:
        yield RealSite(server, capsys, "https")


LOOPBACK = server_context("127.0.0.1")


@pytest.mark.parametrize("https", [LOOPBACK], indirect=True)
def test_https(https: RealSite, tmp_path: Path) -> None:
    big = Raw(bytes(range(256)) * 1000, "text/plain")
    https.serve({"": page("a", "b", "c"), "a": page("d"), "b": big, "d": Broken("incomplete")})
    found = https.records(tmp_path, "--max-tries", "1")
    good = {path: (row["status"], row["size"]) for path, row in found.items() if row["error"] is None}
    assert good == {"": (200, 36), "a": (200, 12), "b": (200, 256_000)}
    assert (found["c"]["error"], found["d"]["error"]) == ("status", "incomplete")


@pytest.mark.parametrize("https", [LOOPBACK], indirect=True)
def test_an_unknown_authority_is_not_trusted(https: RealSite, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    [row] = https.records(tmp_path).values()
    assert row["error"] == "tls"


def test_a_crawl_that_cannot_go_on_is_one_line(web: RealSite, monkeypatch: Patch) -> None:
    async def stuck(crawler: Crawler) -> None:
        await get_running_loop().create_future()

    monkeypatch.setattr(Crawler, "crawl", stuck)
    status, out, err = web.crawl()
    assert (status, len(err)) == (1, 1)
    assert err[0].startswith("loopspec crawl: a defect of loopspec: ")
    assert out[0].startswith("0 URLs in ")


def test_the_progress_line_counts() -> None:
    frontier = Frontier(10)
    for url in ("http://a.test/", "http://b.test/", "http://c.test/", "http://d.test/"):
        frontier.offer(url, 10)
    for url in ("http://a.test/", "http://b.test/", "http://c.test/"):
        frontier.start(url)
    frontier.complete("http://a.test/", Page(()))
    frontier.complete("http://b.test/", FetchFailure("reset"))
    line = "2 fetched   1 queued   1 in flight   4.0 URLs a second   0:00 left at least   1 errors"
    assert text(frontier, 2, Counter({"b.test": 1}), 0.5) == line
    slow = text(frontier, 1, Counter({"a": 1, "b": 2, "c": 1}), 1834)
    assert slow.endswith("0.0 URLs a second   1:01:08 left at least   4 errors (b 2, a 1, ...)")
    none = text(Frontier(10), 0, Counter(), 0)
    assert none.endswith("0 queued   0 in flight   0.0 URLs a second   0 errors")


def test_robots_txt_is_obeyed_unless_told_otherwise(web: RealSite) -> None:
    rules = Raw(b"User-agent: *\nDisallow: /no", "text/plain")
    web.serve({"robots.txt": rules, "": page("no", "yes"), "yes": page(), "no": page("more")})
    status, out, _ = web.crawl(robots=True)
    assert status == 0
    assert out[1:4] == [
        "  outcome   page 2   redirect 0   error 1",
        "  status    200 2   none 1",
        "  error     robots 1",
    ]
    assert out[6:] == ["not allowed by robots.txt (1)", f"  {web.root}no"]
    assert sorted(web.asked) == [web.root, f"{web.root}robots.txt", f"{web.root}yes"]
    status, out, _ = web.crawl()
    assert (status, out[1]) == (1, "  outcome   page 3   redirect 0   error 1")


def test_what_the_crawler_says_of_itself(web: RealSite) -> None:
    """Headers go to the origins of the roots only: another host, port or scheme would learn a password."""
    headers = ["--header", "Authorization: Basic eDp5", "--header", "x:1"]
    config, options, _ = read(["--contact", "me@a.test", *headers, "http://a.test/"])
    known = options.identity(config)
    for origin, told in (
        *(("http://a.test", True), ("https://a.test", False), ("http://a.test:8080", False)),
        ("http://www.a.test", False),
    ):
        request = next(Client(identity=known).get(f"{origin}/"))
        assert isinstance(request, Send)
        lines = request.data.decode().split("\r\n")
        assert "User-Agent: loopspec (me@a.test)" in lines
        assert ("Authorization: Basic eDp5" in lines) == ("x: 1" in lines) == told


@pytest.mark.parametrize("tasks", ["1", "10"])
def test_no_descriptor_is_left(capsys: Captured, tasks: str) -> None:
    """Nor one of the server, which the context waits for; the first round opens the files that Python keeps open."""
    left: list[int] = []
    for _ in range(2):
        with Server() as server:
            web = RealSite(server, capsys)
            web.serve({"": page("a", "b", "c"), "a": Broken("reset"), "b": Broken("silent"), "c": page()})
            web.crawl("--timeout", "0.05", "--max-tries", "2", "--backoff", "0.01", "--max-tasks", tasks)
        gc.collect()
        left.append(len(os.listdir("/proc/self/fd")))
    assert left[0] == left[1]


def test_a_crawl_from_python(web: RealSite) -> None:
    texts = {name: Raw(bytes(size), "text/plain") for name, size in (("a", 9), ("b", 8))}
    web.serve({"": page("a", "b#c"), **texts})
    urls = [web.root, f"{web.root}a", f"{web.root}b"]
    seen: list[str] = []
    options = CrawlOptions(robots=False, limits=Limits(body_bytes=40), check="fragments")
    crawler = crawl(CrawlConfig((web.root,)), options, lambda row, outcome: seen.append(row.url))
    assert {row.url: row.error for row in crawler.records()} == dict.fromkeys(urls)
    assert sorted(seen) == urls
    strict = replace(options, limits=Limits(body_bytes=8))
    assert [row.error for row in crawl(CrawlConfig((f"{web.root}a",)), strict).records()] == ["too-large"]
