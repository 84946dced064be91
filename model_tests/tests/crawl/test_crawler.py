"""The crawler's own errors: a worker never ends silently (the runtimes check the results of crawls)."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

import impl
from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.fetch import Fetcher
from impl.loop import Loop
from impl.net import SimulatedNet
from impl.sim.choices import Choices
from impl.web.outcome import Outcome, Page
from impl.web.serving.hosting import host
from impl.web.serving.site import Raw, Site

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
