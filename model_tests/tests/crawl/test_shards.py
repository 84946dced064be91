"""A crawl in shards: the result of one crawl, on threads and processes, also when a worker dies or gets Ctrl-C."""

import multiprocessing
import os
import signal
import time
from collections import Counter
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import pytest

from impl.crawl.caps import Caps, Cut
from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.fetch import Fetcher
from impl.crawl.frontier import Frontier
from impl.crawl.record import canonical
from impl.crawl.shards import Fetched, Pump, ShardedCrawler, ShardNotes, crawl_shards, shard_of
from impl.crawl.simulation import serve_and_crawl
from impl.crawl.workers import processes
from impl.loop import Loop
from impl.net import SimulatedNet
from impl.sim.choices import Choices
from impl.web.outcome import FetchFailure
from impl.web.serving.generated_web import generate
from impl.web.serving.site import Html, Moved, Site

from ...crawls.oracle import oracle
from ...crawls.sites import draw


@pytest.fixture
def generated(full: bool) -> Site:
    return generate(Choices.seeded(3).program, 80 if full else 40, 5)


def pump(site: Site, config: CrawlConfig, frontier: Frontier, notes: ShardNotes, *, most: int | None = None) -> Fetched:
    loop = Loop()
    net = SimulatedNet(loop, Choices.plain())
    cut = Cut(Caps(pages=most))
    fetcher = Fetcher(net, loop)
    crawler = Crawler(config, fetcher, frontier=frontier, admits=cut.admits)
    loop.run(serve_and_crawl(site, net, loop, fetcher, crawler))
    return Fetched(crawler.records())


def config_of(site: Site, depth: int | None = None) -> CrawlConfig:
    return CrawlConfig(site.roots, strict=False, max_redirect=site.limit, max_tries=2, depth=depth)


def allowed(site: Site, config: CrawlConfig) -> list[object]:
    return [*oracle(site, config.scope().allows)]


@pytest.mark.short("None-1", "None-3", "1-2", "10-7", why="whole crawls")
@pytest.mark.parametrize("shards", [1, 2, 3, 7])
@pytest.mark.parametrize("most", [None, 1, 10])
def test_the_result_is_that_of_one_crawl(shards: int, most: int | None, generated: Site) -> None:
    config = config_of(generated)
    crawler = on_a_thread(config, partial(pump, generated, most=most), shards)
    frontier, tries = crawler.frontier, crawler.tries
    assert canonical(frontier) == allowed(generated, config)
    assert frontier.idle
    assert list(tries) != []
    assert set(tries) == set(frontier.outcomes)
    assert max(tries.values()) == config.max_tries


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_depths_go_from_shard_to_shard(depth: int, generated: Site) -> None:
    config = config_of(generated, depth)
    whole = config.frontier()
    for root in config.canonical_roots():
        whole.offer(root, config.max_redirect)
    pump(generated, config, whole, ShardNotes())
    parts = on_a_thread(config, partial(pump, generated, most=3), 3).frontier
    assert (parts.best, parts.depth) == (whole.best, whole.depth)
    assert canonical(parts) == canonical(whole)


def on_a_thread(config: CrawlConfig, pump: Pump, shards: int) -> ShardedCrawler:
    return crawl_shards(config, pump, shards, lambda: ThreadPoolExecutor(1))


def test_random_sites_in_shards() -> None:
    """Half of them have the gadget, which raises a budget late; here by another shard."""
    for seed in range(30):
        site = draw(Choices.seeded(seed).program)
        config = config_of(site)
        frontier = on_a_thread(config, partial(pump, site), 2).frontier
        assert canonical(frontier) == allowed(site, config), seed


@dataclass(frozen=True)
class Counting:
    """A pump that writes each URL that it fetches to a file; the first batch with `fatal` kills its worker."""

    site: Site
    log: Path
    fatal: str = ""

    def __call__(self, config: CrawlConfig, frontier: Frontier, notes: ShardNotes) -> Fetched:
        died = self.log.with_suffix(".died")
        if self.fatal in frontier.queued and not died.exists():
            died.touch()
            os._exit(1)
        fetched = pump(self.site, config, frontier, notes, most=10)
        with self.log.open("a") as log:
            log.writelines(f"{url}\n" for url in frontier.outcomes)
        return fetched


def test_each_url_is_fetched_once(tmp_path: Path, generated: Site) -> None:
    log = tmp_path / "log"
    on_a_thread(config_of(generated), Counting(generated, log), 3)
    assert set(Counter(log.read_text().split()).values()) == {1}


def forks() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, get_context("fork"))


def test_a_worker_that_dies_changes_nothing(tmp_path: Path, generated: Site) -> None:
    config = config_of(generated)
    dying = Counting(generated, tmp_path / "log", generated.roots[1])
    frontier = crawl_shards(config, dying, 3, forks).frontier
    assert (tmp_path / "log.died").exists()
    assert canonical(frontier) == allowed(generated, config)


def dies(config: CrawlConfig, frontier: Frontier, notes: ShardNotes) -> Fetched:
    os._exit(1)


def test_workers_that_always_die_end_the_crawl() -> None:
    with pytest.raises(BrokenExecutor, match="died too often; 1 URLs are left"):
        crawl_shards(CrawlConfig(("http://a.test/",)), dies, 2, forks, lives=2)


def test_a_host_has_one_shard() -> None:
    assert shard_of("http://a.test/1", 5) == shard_of("https://a.test:8080/2?x", 5)
    assert {shard_of(f"http://host-{i}.test/", 3) for i in range(20)} == {0, 1, 2}
    with pytest.raises(ValueError, match="shards is 0"):
        crawl_shards(CrawlConfig(("http://a.test/",)), dies, 0, forks)


def test_redirects_between_shards_take_their_budget_along() -> None:
    urls = [f"http://h{i % 3}.test/{i}" for i in range(6)]
    site = Site(
        {url: Moved(after) for url, after in pairwise(urls)} | {urls[-1]: Html()},
        (urls[0], "http://h1.test/", "http://h2.test/"),
        3,
    )
    config = config_of(site)
    frontier = on_a_thread(config, partial(pump, site), 3).frontier
    assert canonical(frontier) == allowed(site, config)
    assert frontier.cut() == [(urls[3], urls[4])]
    assert isinstance(frontier.outcomes["http://h1.test/"], FetchFailure)


@dataclass(frozen=True)
class Remembering:
    """A pump that fetches one URL a batch, and writes the notes that it gets to a file."""

    site: Site
    log: Path

    def __call__(self, config: CrawlConfig, frontier: Frontier, notes: ShardNotes) -> Fetched:
        with self.log.open("a") as log:
            log.write(f"{len(notes.waits)} ")
        [row] = pump(self.site, config, frontier, notes, most=1).rows
        return Fetched([row], ShardNotes(waits={**notes.waits, row.url: 1.0}), elapsed_ns=5)


def test_notes_go_to_the_next_batch_and_rounds_wait_for_all(tmp_path: Path) -> None:
    pages = {f"http://a.test/{i}": Html((f"http://a.test/{i + 1}",)) for i in range(4)}
    site = Site(pages, ("http://a.test/0",))
    crawler = on_a_thread(config_of(site), Remembering(site, tmp_path / "log"), 2)
    assert (tmp_path / "log").read_text() == "0 1 2 3 4 "
    assert crawler.elapsed_ns == 5 * 5
    # Two shards at once: the time of two is that of one, and the next round waits for both.
    hosts = "http://a.test/", "http://c.test/"
    assert {shard_of(host, 2) for host in hosts} == {0, 1}
    site = Site({hosts[0]: Html((f"{hosts[1]}2",)), hosts[1]: Html()}, hosts)
    config = config_of(site)

    def timed(config: CrawlConfig, frontier: Frontier, notes: ShardNotes) -> Fetched:
        fetched = pump(site, config, frontier, notes)
        return Fetched(fetched.rows, elapsed_ns=100 if hosts[0] in frontier.outcomes else 1)

    rounds = crawl_shards(config, timed, 2, lambda: ThreadPoolExecutor(2), in_rounds=True)
    assert rounds.elapsed_ns == 101


def test_ctrl_c_is_nothing_to_a_worker_that_starts(capfd: pytest.CaptureFixture[str]) -> None:
    with processes(1) as executor:
        future = executor.submit(os.getpid)
        [worker] = multiprocessing.active_children()
        assert worker.pid is not None
        while not future.done():
            os.kill(worker.pid, signal.SIGINT)
            time.sleep(0.001)
        assert future.result() == worker.pid
    assert capfd.readouterr().err == ""
