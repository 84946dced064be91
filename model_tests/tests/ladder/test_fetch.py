"""All rungs that fetch pages, on the same sites: the defects K1 to K11, P5 and P9 of the texts' sketches are absent."""

from collections.abc import Callable, Sequence
from importlib import import_module

import pytest

from impl.ladder.http import CHUNK, PATIENCE
from impl.ladder.measure import reference
from impl.ladder.rung import RUNGS
from impl.ladder.rungs import callbacks, polling, processes
from impl.ladder.two_schedules import by_the_reference
from impl.ladder.world import World
from impl.ladder.world.meter import Meter
from impl.ladder.world.real import RealWorld
from impl.ladder.world.simulation import SimulatedSocket
from impl.net import NetworkConditions
from impl.sim.choices import Choices
from impl.web.outcome import FetchFailure, Outcome, Page
from impl.web.serving.site import Broken, Html, Moved, Raw, Site

from ..net.helpers import no_descriptor_more
from .conftest import simulated

Run = Callable[[World, Sequence[str]], dict[str, Outcome]]
#: `asyncio_end` has an environment of its own (test_asyncio.py), `processes` needs real sockets.
RUNS: dict[str, Run] = {
    rung.name: import_module(f"impl.ladder.{rung.module}").run
    for rung in RUNGS
    if rung.name not in ("asyncio_end", "processes")
}
every_rung = pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
#: Polling asks again and again while it waits.
but_polling = pytest.mark.short(*(name for name in RUNS if name != "polling"), why="a second of polling")

GOOD = "http://a.test/good"
OTHER = "http://other.test/page"
LARGE = "http://a.test/large"

#: Each way a fetch can fail that takes no real time, beside pages, a redirect, and URLs that differ in one part.
TROUBLE = Site(
    {
        GOOD: Html((), 30),
        LARGE: Raw(bytes(20_000), "image/png"),
        "http://a.test/moved": Moved(GOOD),
        **{f"http://a.test/{fault}": Broken(fault) for fault in ("reset", "incomplete", "garbage", "no-location")},
        "http://a.test/missing": Broken("status", 404),
        "http://refused.test/": Broken("refused"),
        "http://unknown.test/": Broken("no-such-host"),
        "http://a.test/p": Html(()),
        "http://a.test/p?a=1": Html((GOOD,)),
        "http://b.test/p?a=1": Html((OTHER,)),
        "http://b.test:8080/p?a=1": Html((GOOD, OTHER)),
    },
    (),
)


@pytest.fixture(autouse=True)
def _closed(closed: list[int]) -> None:
    """K11, after each test here."""


def fetched(
    run: Run, site: Site, conditions: NetworkConditions | None = None, seed: int = 0
) -> tuple[dict[str, Outcome], float, Meter]:
    """The outcome of each page, the virtual seconds, and the meter; every socket is closed by then (K11)."""
    with simulated(site, Choices.seeded(seed), conditions) as world:
        outcomes = run(world, list(site.resources))
        assert world.by_fd == {}
        return outcomes, world.time(), world.meter


@every_rung
def test_what_fails_is_a_failure_and_the_other_pages_are_fetched(run: Run) -> None:
    """K1 (refused), K3 (reset), K4 (incomplete), K11 (status), P5 (query), P9 (host and port)."""
    outcomes, _, _ = fetched(run, TROUBLE)
    assert outcomes == reference(TROUBLE, list(TROUBLE.resources))
    assert [type(outcomes[url]) for url in (GOOD, "http://a.test/reset")] == [Page, FetchFailure]


@pytest.mark.parametrize("run", [*RUNS.values(), processes.run], ids=[*RUNS, "processes"])
def test_on_real_sockets_too(run: Run) -> None:
    """K1, K3, K4.  The pool's server of processes stays, with its descriptors, so it starts before they are counted."""
    urls = list(TROUBLE.resources)
    if run is processes.run:
        processes.pool_of(1).shutdown()
    with no_descriptor_more():
        world = RealWorld(TROUBLE)
        outcomes = run(world, urls)
        world.close()
    assert outcomes == reference(TROUBLE, urls)


@every_rung
def test_small_buffers_and_many_segments_change_nothing(run: Run, full: bool) -> None:
    """K6, K8."""
    site = Site({url: found for url, found in TROUBLE.resources.items() if url != LARGE}, ())
    conditions = NetworkConditions(latency_ms_max=20, segments_max=4, buffer_bytes=32)
    for seed in range(3 if full else 1):
        assert fetched(run, site, conditions, seed)[0] == reference(site, list(site.resources))


def test_asking_again_ends_when_the_connection_is_refused() -> None:
    """K2: a refused connect is not "not yet"."""
    outcomes, seconds, meter = fetched(polling.run, Site({OTHER: Broken("refused")}, ()))
    assert outcomes == {OTHER: FetchFailure("refused")}
    assert seconds < 0.01
    assert meter.vain < 100


@pytest.mark.parametrize("name", sorted({*RUNS} - {"polling"}))
def test_nothing_is_sent_where_there_is_no_connection(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """K1: a failed connect makes a socket writable too."""
    sent: list[bytes] = []
    monkeypatch.setattr(SimulatedSocket, "send", lambda self, data: sent.append(data))
    assert fetched(RUNS[name], Site({OTHER: Broken("refused")}, ()))[0] == {OTHER: FetchFailure("refused")}
    assert [data for data in sent if data != b"!"] == []  # Tornado's loop wakes itself with that byte


@every_rung
def test_a_silent_server_is_given_up(run: Run) -> None:
    """K5: after PATIENCE, and only that fetch."""
    outcomes, seconds, _ = fetched(run, Site({OTHER: Broken("silent"), GOOD: Html((), 50)}, ()))
    assert outcomes[OTHER] == FetchFailure("timeout")
    assert isinstance(outcomes[GOOD], Page)
    assert PATIENCE <= seconds < PATIENCE + 0.06


@but_polling
@every_rung
def test_a_page_that_trickles_is_given_up_too(run: Run) -> None:
    """K5: PATIENCE is for the fetch, not for each call."""
    conditions = NetworkConditions(latency_ms_min=100, latency_ms_max=100, buffer_bytes=500)
    outcomes, seconds, _ = fetched(run, Site({LARGE: TROUBLE.resources[LARGE]}, ()), conditions)
    assert outcomes == {LARGE: FetchFailure("timeout")}
    assert seconds == pytest.approx(PATIENCE, abs=0.001)


@every_rung
def test_a_request_that_is_sent_in_pieces_arrives_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """K6: each `send` takes three bytes."""
    send = SimulatedSocket.send
    monkeypatch.setattr(SimulatedSocket, "send", lambda self, data: send(self, data[:3]))
    site = Site({GOOD: Html((OTHER,)), OTHER: Moved(GOOD)}, ())
    assert fetched(run, site)[0] == reference(site, [GOOD, OTHER])


@every_rung
def test_no_chunk_of_a_long_page_is_lost(run: Run) -> None:
    """K8, K11: nor are its headers taken for a part of it."""
    body = bytes(range(256)) * 400
    assert len(body) > 20 * CHUNK
    outcome = fetched(run, Site({LARGE: Raw(body, "image/png")}, ()))[0][LARGE]
    assert isinstance(outcome, Page)
    assert outcome.size == len(body)


@but_polling
@every_rung
def test_whatever_was_registered_is_unregistered(run: Run, closed: list[int]) -> None:
    """K11: before the selector is closed, and each selector is."""
    fetched(run, Site({**TROUBLE.resources, OTHER: Broken("silent")}, ()))
    assert closed == [0] * len(closed)
    assert bool(closed) == (run not in [RUNS[name] for name in ("blocking", "threads", "polling")])


@pytest.mark.parametrize(("pages", "widest"), [(1, 1), (30, 15)])
def test_the_callbacks_crawler_follows_every_link_once(pages: int, widest: int) -> None:
    """A tree with links back and to another host; the pages of a level are fetched at once.

    K7: each callback is called with the arguments it takes.
    """
    urls = [f"http://a.test/{number}" for number in range(pages)]
    links = [tuple(urls[n] for n in (2 * i + 1, 2 * i + 2, 0, i) if n < pages) for i in range(pages)]
    resources = {url: Html((*onward, OTHER), 50) for url, onward in zip(urls, links, strict=True)}
    site = Site({**resources, OTHER: Html((GOOD,))}, (urls[0],))
    with simulated(site) as world:
        outcomes = callbacks.crawl(world, urls[0])
        assert outcomes == by_the_reference(site)
        assert sorted(outcomes) == sorted(urls)
        assert world.by_fd == {}
        assert world.meter.concurrency == widest
