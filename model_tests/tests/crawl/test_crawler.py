"""The crawler's own errors and caps; the runtimes check the results of crawls.

A worker never ends silently.  Caps cut a crawl: its pages are part of the whole result, and the report names the cap
and the URLs that are left.
"""

import gc
import tracemalloc
from collections import defaultdict

import pytest

import impl
from impl.crawl.caps import Caps
from impl.crawl.commands import crawl as command
from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.fetch import Fetcher
from impl.loop import Loop
from impl.net import SimulatedNet
from impl.runners.runner import sleep
from impl.sim.choices import Choices
from impl.web.outcome import Outcome, Page
from impl.web.serving.hosting import host
from impl.web.serving.site import Raw, Site

from ..crawls.bad_servers import BadServer, page

PLAN = CrawlConfig(("http://a.test/",), max_tasks=3)


def crawl_with(error: BaseException) -> Crawler:
    async def fetch(url: str) -> Outcome:
        await impl.sleep(1)
        if url != "http://a.test/":
            raise error
        return Page(("http://a.test/1", "http://a.test/2"))

    crawler = Crawler(PLAN, fetch)
    impl.run(crawler.crawl())
    return crawler


def test_a_fetch_that_raises_or_is_cancelled_ends_the_crawl() -> None:
    with pytest.raises(ZeroDivisionError, match="a defect"):
        crawl_with(ZeroDivisionError("a defect"))
    with pytest.raises(RuntimeError, match=r"worker-\d.* was cancelled"):
        crawl_with(impl.CancelledError())


def test_a_crawl_that_is_cancelled_cancels_its_workers() -> None:
    async def fetch(url: str) -> Outcome:
        return await impl.get_running_loop().create_future()  # type: ignore[no-any-return]  # it is never resolved

    async def main() -> list[str]:
        crawl = impl.create_task(Crawler(PLAN, fetch).crawl())
        await impl.sleep(1)
        assert crawl.cancel()
        with pytest.raises(impl.CancelledError):
            await crawl
        await impl.sleep(1)
        return [task.get_name() for task in impl.all_tasks()]

    assert impl.run(main()) == ["Task-1"]


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"roots": ()}, "no root"),
        ({"roots": ("ftp://a.test/",)}, "http or https"),
        ({"max_redirect": -1}, "max_redirect must be 0 or more"),
        ({"max_tries": 0}, "max_tries must be 1 or more, not 0"),
        ({"max_tasks": 0}, "max_tasks must be 1 or more"),
        ({"exclude": "("}, "not a regular expression"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(wrong: dict[str, object], what: str) -> None:
    arguments: dict[str, object] = {"roots": ("http://a.test/",), **wrong}
    with pytest.raises(ValueError, match=what):
        CrawlConfig(**arguments)  # type: ignore[arg-type]  # it is the values that are wrong


def test_a_crawl_keeps_no_bodies() -> None:
    """Memory grows with URLs and links: larger bodies of the same pages are not kept."""

    def kept(size: int) -> int:
        body = b"<a href=/next>next</a>".ljust(size)
        urls = tuple(f"http://a.test/{i}" for i in range(40))
        site = Site(dict.fromkeys(urls, Raw(body, "text/html")), urls)
        loop = Loop()
        net = SimulatedNet(loop, Choices.plain())
        crawler = Crawler(CrawlConfig(urls, max_tasks=2), Fetcher(net, loop))

        async def program() -> int:
            host(site, net, loop)
            await crawler.crawl()
            gc.collect()
            return tracemalloc.get_traced_memory()[0]

        tracemalloc.start()
        try:
            return loop.run(program())
        finally:
            tracemalloc.stop()

    kept(100)  # objects that are made once
    small, large = kept(100), kept(100_000)
    assert large - small < 5 * 100_000  # the buffers of two connections, not forty bodies


# --- caps -------------------------------------------------------------------------------------------------------------

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
    links = page(b"<a href=1><a href=2><a href=3>")
    with BadServer(defaultdict(lambda: links)) as server:
        assert command.main([server.root, "--max-pages=2", "--depth=1", "--no-robots"]) == 0
    out, err = capsys.readouterr()
    assert out.endswith("\ncut by --max-pages: 2 known URLs left\n")
    assert (out.startswith("2 URLs in "), err, len(server.asked)) == (True, "", 2)
