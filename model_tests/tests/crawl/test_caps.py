"""Caps cut a crawl: its pages are part of the whole result, and the report names the cap and the URLs that are left."""

from __future__ import annotations

from collections import defaultdict

import pytest

from impl.crawl.caps import Caps
from impl.crawl.commands import crawl as command
from impl.crawl.crawler import CrawlConfig, Crawler
from impl.loop import Loop
from impl.runners.runner import sleep
from impl.web.outcome import Outcome, Page

from ..crawls.bad_servers import OK, BadServer, sends

ROOT = "http://a.test/"


async def endless(url: str) -> Outcome:
    """A site without end on hosts without end: each page takes a second and links to two new ones."""
    await sleep(1)
    return Page((f"{url}0", f"{url}1", f"http://b{len(url)}.test/"))


def crawled(caps: Caps) -> Crawler:
    config = CrawlConfig((ROOT,), max_tasks=3, caps=caps)
    frontier = config.frontier()
    frontier.allows = lambda url: True
    crawler = Crawler(config, endless, frontier=frontier)
    Loop().run(crawler.crawl())
    return crawler


def test_each_cap_cuts_the_crawl() -> None:
    crawler = crawled(Caps(pages=10))
    assert len(crawler.frontier.outcomes) == len(crawler.tries) == 10
    assert (crawler.cut.by(), crawler.frontier.in_flight) == (("--max-pages",), ())
    assert len(crawler.frontier.queued) == crawler.cut.left["--max-pages"] > 0
    crawler = crawled(Caps(hosts=2, pages=50))
    hosts = {url.split("/")[2] for url in crawler.frontier.outcomes}
    assert len(crawler.frontier.outcomes) == 50
    assert len(hosts) == 2
    assert crawler.cut.by() == ("--max-hosts", "--max-pages")
    crawler = crawled(Caps(seconds=3.5))
    assert len(crawler.frontier.outcomes) == 1 + 3 + 3
    assert (crawler.cut.by(), len(crawler.frontier.in_flight)) == (("--max-seconds",), 3)


def test_a_crawl_below_its_caps_is_not_cut() -> None:
    async def leaf(url: str) -> Outcome:
        return Page(())

    config = CrawlConfig((ROOT,), caps=Caps(pages=1, hosts=1, seconds=1))
    crawler = Crawler(config, leaf)
    Loop().run(crawler.crawl())
    assert (len(crawler.frontier.outcomes), crawler.cut.by()) == (1, ())


@pytest.mark.parametrize("name", ["pages", "hosts", "seconds"])
def test_a_cap_of_nothing_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"max_{name} must be greater than 0"):
        Caps(**{name: 0})


def test_the_report_of_a_cut_crawl_says_by_what_and_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    html = b"<a href=1><a href=2><a href=3>"
    page = sends(OK, b"Content-Length: %d\r\n\r\n" % len(html), html)
    with BadServer(defaultdict(lambda: page)) as server:
        assert command.main([server.root, "--max-pages=2", "--depth=1", "--no-robots"]) == 0
    out, err = capsys.readouterr()
    assert out.endswith("\ncut by --max-pages: 2 known URLs left\n")
    assert (out.startswith("2 URLs in "), err, len(server.asked)) == (True, "", 2)
