"""A crawl in shards: the result of one crawl, on threads and processes, also when a worker dies."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import pytest

from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.fetch import Fetcher
from impl.crawl.frontier import Frontier
from impl.crawl.results.record import canonical
from impl.crawl.shards import crawl_shards, shard_of
from impl.loop import Loop
from impl.net import SimulatedNet
from impl.sim.choices import Choices
from impl.web.outcome import Failure
from impl.web.serving.generated import generate
from impl.web.serving.hosting import host
from impl.web.serving.site import Html, Moved, Site

from ...crawls.oracle import oracle
from ...crawls.sites import draw

GENERATED = generate(Choices.seeded(3).program, 80, 5)


def pump(site: Site, config: CrawlConfig, frontier: Frontier) -> Mapping[str, int]:
    """Crawl on a simulated network."""
    loop = Loop()
    net = SimulatedNet(loop, Choices.plain())
    crawler = Crawler(config, Fetcher(net, loop), frontier=frontier)

    async def program() -> None:
        host(site, net, loop)
        await crawler.crawl()

    loop.run(program())
    return crawler.tries


def config_of(site: Site) -> CrawlConfig:
    return CrawlConfig(site.roots, strict=False, max_redirect=site.limit, max_tries=2)


def allowed(site: Site, config: CrawlConfig) -> list[object]:
    return [*oracle(site, config.scope().allows)]


@pytest.mark.parametrize("shards", [1, 2, 3, 7])
def test_the_result_is_that_of_one_crawl(shards: int) -> None:
    config = config_of(GENERATED)
    frontier, tries = crawl_shards(config, partial(pump, GENERATED), shards, lambda: ThreadPoolExecutor(1))
    assert canonical(frontier) == allowed(GENERATED, config)
    assert frontier.idle
    assert list(tries) != []
    assert set(tries) == set(frontier.outcomes)
    assert max(tries.values()) == config.max_tries


def test_random_sites_in_shards() -> None:
    """Half of them have the gadget, in which a budget is raised late; here by another shard."""
    for seed in range(30):
        site = draw(Choices.seeded(seed).program)
        config = config_of(site)
        frontier, _ = crawl_shards(config, partial(pump, site), 2, lambda: ThreadPoolExecutor(1))
        assert canonical(frontier) == allowed(site, config), seed


@dataclass(frozen=True)
class Counting:
    """A pump that writes each URL that it fetches to a file; the first batch with `fatal` kills its worker."""

    site: Site
    log: Path
    fatal: str = ""

    def __call__(self, config: CrawlConfig, frontier: Frontier) -> Mapping[str, int]:
        died = self.log.with_suffix(".died")
        if self.fatal in frontier.queued and not died.exists():
            died.touch()
            os._exit(1)
        tries = pump(self.site, config, frontier)
        with self.log.open("a") as log:
            log.writelines(f"{url}\n" for url in frontier.outcomes)
        return tries


def test_each_url_is_fetched_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    crawl_shards(config_of(GENERATED), Counting(GENERATED, log), 3, lambda: ThreadPoolExecutor(1))
    assert set(Counter(log.read_text().split()).values()) == {1}


def processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, get_context("fork"))


def test_a_worker_that_dies_changes_nothing(tmp_path: Path) -> None:
    config = config_of(GENERATED)
    dying = Counting(GENERATED, tmp_path / "log", GENERATED.roots[1])
    frontier, _ = crawl_shards(config, dying, 3, processes)
    assert (tmp_path / "log.died").exists()
    assert canonical(frontier) == allowed(GENERATED, config)


def dies(config: CrawlConfig, frontier: Frontier) -> Mapping[str, int]:
    os._exit(1)


def test_workers_that_always_die_end_the_crawl() -> None:
    with pytest.raises(BrokenExecutor, match="died too often; 1 batches"):
        crawl_shards(CrawlConfig(("http://a.test/",)), dies, 2, processes, lives=2)


def test_a_host_has_one_shard() -> None:
    assert shard_of("http://a.test/1", 5) == shard_of("https://a.test:8080/2?x", 5)
    assert {shard_of(f"http://host-{i}.test/", 3) for i in range(20)} == {0, 1, 2}
    with pytest.raises(ValueError, match="shards is 0"):
        crawl_shards(CrawlConfig(("http://a.test/",)), dies, 0, processes)


def test_redirects_between_shards_take_their_budget_along() -> None:
    """A chain that goes from host to host is cut where its budget ends."""
    urls = [f"http://h{i % 3}.test/{i}" for i in range(6)]
    site = Site(
        {url: Moved(after) for url, after in pairwise(urls)} | {urls[-1]: Html()},
        (urls[0], "http://h1.test/", "http://h2.test/"),
        3,
    )
    config = config_of(site)
    frontier, _ = crawl_shards(config, partial(pump, site), 3, lambda: ThreadPoolExecutor(1))
    assert canonical(frontier) == allowed(site, config)
    assert frontier.cut() == [(urls[3], urls[4])]
    assert isinstance(frontier.outcomes["http://h1.test/"], Failure)
