"""A crawl while the network fails, and after: right while faults last, and over within a bound once they stop."""

from dataclasses import dataclass

import pytest

from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.fetch import Fetcher
from impl.crawl.record import comparable, record
from impl.crawl.simulation import serve_and_crawl
from impl.errors import DeadlockError
from impl.loop import NS_PER_SECOND, Loop
from impl.net import Fault, NetworkConditions, SimulatedNet
from impl.sim.choices import Choices
from impl.web.outcome import FetchFailure, Outcome
from impl.web.serving.site import Moved, Raw, Resource, Site

from ...crawls.oracle import oracle, outcome

HOSTS = ("http://a.test", "http://b.test")
URLS = tuple(f"{HOSTS[i % 2]}/{i}" for i in range(60))
#: Not those that change bytes: TCP and HTTP have no means against them.
FAULTS = tuple(fault for fault in Fault if fault not in (Fault.GARBAGE, Fault.OVERSIZE))
UNTIL_S = 8
TIMEOUT_S = 5.0
WORKERS = 4
TRIES = 3
#: The longest try without a fault: a look-up, a connect, request and response, each way one latency, and the pieces.
LATENCY_MS = 20
HEALTHY_S = 10 * LATENCY_MS / 1000


def site() -> Site:
    """Each page links to three later ones; one URL in six is a redirect."""
    resources: dict[str, Resource] = {}
    for i, url in enumerate(URLS):
        later = [URLS[min(j, len(URLS) - 1)] for j in (2 * i + 1, 2 * i + 2, i + 1)]
        body = "".join(f'<a href="{link}">x</a>' for link in later).encode()
        resources[url] = Moved(later[0]) if i % 6 == 5 else Raw(body, "text/html")
    return Site(resources, URLS[:1])


SITE = site()
RIGHT = {row.url for row in oracle(SITE)}


@dataclass
class Crawled:
    """The result of a crawl, when it ended, and how many connections were open when the faults stopped."""

    crawler: Crawler
    ended_s: float
    open_then: int
    wrong: list[str]


def crawl(conditions: NetworkConditions, seed: int, timeout_s: float | None = TIMEOUT_S) -> Crawled:
    """Crawl the site; `wrong` lists outcomes that were neither the site's answer nor an error, as they came."""
    choices = Choices.seeded(seed)
    loop = Loop(choices, "any" if seed % 2 else "fifo")
    net = SimulatedNet(loop, choices, conditions)
    fetcher = Fetcher(net, loop, timeout_s=timeout_s)
    wrong: list[str] = []
    open_then = 0

    def done(url: str, met: Outcome) -> None:
        nonlocal open_then
        if loop.time() < UNTIL_S:
            open_then = len(net.connections)
        right = comparable(record(url, outcome(SITE, url), 0))
        if url not in RIGHT or (not isinstance(met, FetchFailure) and comparable(record(url, met, 0)) != right):
            wrong.append(f"{url}: {met}")

    plan = CrawlConfig(SITE.roots, strict=False, max_tries=TRIES, max_tasks=WORKERS)
    frontier = CrawlConfig((HOSTS[0], HOSTS[1])).frontier()
    crawler = Crawler(plan, fetcher, done, frontier)
    ended_ns = loop.run(serve_and_crawl(SITE, net, loop, fetcher, crawler))
    return Crawled(crawler, ended_ns / NS_PER_SECOND, open_then, wrong)


def stormy(until_s: int | None = UNTIL_S) -> NetworkConditions:
    return NetworkConditions(
        latency_ms_max=LATENCY_MS,
        segments_max=3,
        faults=FAULTS,
        fault_one_in=2,
        swarm=True,
        faults_until_ms=None if until_s is None else until_s * 1000,
    )


def test_a_crawl_is_right_while_faults_last_and_ends_soon_after_they_stop(full: bool) -> None:
    """After the faults, each connection of before costs at most one time limit, and all else is healthy."""
    conditions = stormy()
    late = 0
    for seed in range(400 if full else 12):
        found = crawl(conditions, seed)
        assert found.wrong == [], seed
        frontier = found.crawler.frontier
        assert frontier.idle
        met = frontier.outcomes
        rows = oracle(SITE, answer=lambda url: met.get(url, outcome(SITE, url)))  # noqa: B023  (called at once)
        assert [row.url for row in rows] == sorted(met), seed
        bound_s = UNTIL_S + TIMEOUT_S * (WORKERS + found.open_then) + HEALTHY_S * TRIES * len(URLS)
        assert found.ended_s <= bound_s, seed
        late += found.ended_s > UNTIL_S
    assert late
    struck = {fault for fault in FAULTS if conditions.tally[fault]}
    assert struck == {*FAULTS} if full else len(struck) > len(FAULTS) // 2


def test_without_a_time_limit_silence_is_for_ever(caplog: pytest.LogCaptureFixture) -> None:
    """The bound comes from the time limit: without one, the same crawl is stuck."""
    seed = next(seed for seed in range(40) if _silenced(seed))
    with pytest.raises(DeadlockError):
        crawl(stormy(), seed, timeout_s=None)
    caplog.clear()  # the loop reports the crawl that it cancels


def _silenced(seed: int) -> bool:
    """Whether a try of that crawl exceeds its time limit before the faults stop."""
    found = crawl(stormy(), seed)
    return any(
        isinstance(met, FetchFailure) and met.error == "timeout" for met in found.crawler.frontier.outcomes.values()
    )


def test_without_faults_the_crawl_is_the_oracles() -> None:
    found = crawl(NetworkConditions(latency_ms_max=LATENCY_MS), 1)
    assert sorted(found.crawler.frontier.outcomes) == sorted(RIGHT)
    assert found.ended_s < HEALTHY_S * len(URLS)
