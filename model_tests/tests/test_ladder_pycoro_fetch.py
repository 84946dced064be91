"""Rungs 23, 24 and 28, py-coro-impl's way: the fetches.  The defects P5, P9 and K1 to K11 are not there, nor what was
read of threads, selectors, time-outs and errors; but a thread a request, which rung 28 does away with.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

from impl import Choices
from impl.crawl.outcome import Failure, Outcome, Page
from impl.ladder import blocking
from impl.ladder.http import PATIENCE, request
from impl.ladder.measure import a_world, bytes_of, pages, reference
from impl.ladder.pycoro import asynchttp, one_selector, promises
from impl.ladder.pycoro.asynchttp import get, when
from impl.ladder.pycoro.events import EventLoop
from impl.ladder.real import RealWorld
from impl.ladder.rung import RUNGS
from impl.ladder.sim_selector import SimSelector
from impl.ladder.simulated import ATTEMPT_NS, SimulatedWorld
from impl.ladder.world import World
from impl.net import Weather
from impl.web.site import Broken, Html, Moved, Raw, Site

from .net.real_world import no_descriptor_more

Run = Callable[[World, Sequence[str]], dict[str, Outcome]]
RUNS: dict[str, Run] = {"promises": promises.run, "one_selector": one_selector.run}
both = pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)

GOOD = "http://a.test/good"
OTHER = "http://b.test/other"
#: All that can go wrong, and a page that is larger than what is received at once.
TROUBLE = Site(
    {
        GOOD: Html((), 30),
        "http://a.test/large": Raw(bytes(20_000), "image/png"),
        "http://a.test/moved": Moved(GOOD),
        "http://a.test/reset": Broken("reset"),
        "http://a.test/incomplete": Broken("incomplete"),
        "http://a.test/garbage": Broken("garbage"),
        "http://a.test/no-location": Broken("no-location"),
        "http://a.test/missing": Broken("status", 404),
        "http://refused.test/": Broken("refused"),
        "http://unknown.test/": Broken("no-such-host"),
    },
    (),
)


@pytest.fixture
def world() -> Iterator[SimulatedWorld]:
    made = SimulatedWorld(Site({GOOD: Html((), 30), OTHER: Broken("silent")}, ()))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def tidy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """K11: every selector is closed, and nothing is registered with it then."""
    made: list[SimSelector] = []
    closed: list[SimSelector] = []
    init, close = SimSelector.__init__, SimSelector.close

    def noted_init(self: SimSelector, *args: object) -> None:
        init(self, *args)  # type: ignore[arg-type]  # whatever it takes
        made.append(self)

    def noted_close(self: SimSelector) -> None:
        assert self._keys == {}
        close(self)
        closed.append(self)

    monkeypatch.setattr(SimSelector, "__init__", noted_init)
    monkeypatch.setattr(SimSelector, "close", noted_close)
    yield
    assert {id(one) for one in made} == {id(one) for one in closed}


def fetched(run: Run, site: Site, weather: Weather | None = None, seed: int = 0) -> dict[str, Outcome]:
    """What became of its pages; everything is closed then (K11)."""
    world = SimulatedWorld(site, Choices.seeded(seed), weather)
    try:
        outcomes = run(world, list(site.resources))
        assert world.socket.by_fd == {}
        return outcomes
    finally:
        world.close()


# --- asynchttp --------------------------------------------------------------------------------------------


def test_a_callback_is_an_event_and_comes_after_everything_is_closed(world: SimulatedWorld) -> None:
    loop = EventLoop(world)
    seen: list[Outcome] = []

    def callback(outcome: Outcome) -> None:
        assert threading.current_thread() is threading.main_thread()
        assert world.socket.by_fd == {}
        seen.append(outcome)
        loop.stop()

    get(loop, GOOD, callback)
    assert seen == []
    loop.loop()
    assert seen == [reference(Site({GOOD: Html((), 30)}, ()), [GOOD])[GOOD]]


def test_ten_requests_at_once(world: SimulatedWorld) -> None:
    loop = EventLoop(world)
    seen: list[Outcome] = []

    def callback(outcome: Outcome) -> None:
        seen.append(outcome)
        if len(seen) == 10:
            loop.stop()

    for _ in range(10):
        get(loop, GOOD, callback)
    loop.loop()
    assert all(isinstance(outcome, Page) for outcome in seen)
    assert world.meter.concurrency == 10
    assert world.time() == pytest.approx(0.035, abs=1e-6)


def test_a_selector_that_was_wrong_is_asked_again() -> None:
    """K2, K3: only BlockingIOError means "not yet"."""
    answers: list[object] = [BlockingIOError(), BlockingIOError(), b"data"]

    def call() -> object:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    asked = when(1, call)
    assert [next(asked), next(asked), next(asked)] == [1, 1, 1]
    with pytest.raises(StopIteration) as stop:
        next(asked)
    assert stop.value.value == b"data"


@both
def test_the_query_the_host_and_the_port_are_sent(run: Run) -> None:
    """P5, P9."""
    site = Site(
        {
            "http://a.test/p": Html(()),
            "http://a.test/p?a=1": Html((GOOD,)),
            "http://b.test/p?a=1": Html((GOOD, OTHER)),
            "http://b.test:8080/p?a=1": Html((OTHER,)),
        },
        (),
    )
    assert fetched(run, site) == reference(site, list(site.resources))
    assert request("http://b.test:8080/p?a=1") == b"GET /p?a=1 HTTP/1.0\r\nHost: b.test:8080\r\n\r\n"


@both
def test_what_fails_is_a_failure_and_the_others_are_fetched(run: Run) -> None:
    """K1 (refused), K3 (reset), K4 (incomplete), and what the reference says of all others."""
    assert fetched(run, TROUBLE) == reference(TROUBLE, list(TROUBLE.resources))


@both
@pytest.mark.parametrize("seed", range(5))
def test_whatever_the_network_does(run: Run, seed: int) -> None:
    """K6, K8: small buffers, many segments, another order every time."""
    weather = Weather(latency_ms_max=20, segments_max=4, buffer_bytes=32)
    site = Site({url: found for url, found in TROUBLE.resources.items() if not url.endswith("large")}, ())
    assert fetched(run, site, weather, seed) == reference(site, list(site.resources))


@both
def test_patience_ends(run: Run) -> None:
    """K5."""
    site = Site({GOOD: Html((), 30), OTHER: Broken("silent"), "http://a.test/late": Html((), 6000)}, ())
    world = SimulatedWorld(site)
    try:
        found = run(world, list(site.resources))
        assert isinstance(found[GOOD], Page)
        assert [found[OTHER], found["http://a.test/late"]] == [Failure("timeout")] * 2
        assert world.time() == pytest.approx(PATIENCE, abs=0.001)
    finally:
        world.close()


@both
def test_https_is_refused(run: Run) -> None:
    site = Site({"https://a.test/": Html(())}, ())
    assert fetched(run, site) == {"https://a.test/": Failure("tls")}


@both
def test_no_pages_are_there_at_once(run: Run) -> None:
    """In the repository, to wait for none is to wait for ever."""
    assert fetched(run, Site({}, ())) == {}


@both
def test_a_page_that_is_named_twice_leaves_nothing_open(run: Run) -> None:
    urls = list(TROUBLE.resources)
    world = SimulatedWorld(TROUBLE)
    found = run(a_world(world), [*urls, *urls])
    assert world.socket.by_fd == {}
    world.close()
    assert found == reference(TROUBLE, urls)


@both
def test_on_real_sockets(run: Run) -> None:
    with no_descriptor_more():
        world = RealWorld(TROUBLE)
        found = run(a_world(world), list(TROUBLE.resources))
        world.close()
    assert found == reference(TROUBLE, list(TROUBLE.resources))


# --- the figures, and rung 28 -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "seconds", "threads", "at_once"),
    [
        (blocking.run, 10.0, 0, 1),
        (promises.run, 0.1, 100, 100),
        (
            one_selector.run,
            0.1 + 99 * ATTEMPT_NS / 1e9,
            0,
            100,
        ),  # one thread begins one connect after the other
    ],
)
def test_a_hundred_requests_of_100_ms(run: Run, seconds: float, threads: int, at_once: int) -> None:
    """10 s blocking, less than 1 s so; a thread a request as the text has it, and none as it would like to have it."""
    site = pages(100, page_ms=100)
    world = SimulatedWorld(site)
    try:
        assert run(world, list(site.resources)) == reference(site, list(site.resources))
        assert world.time() == pytest.approx(seconds, abs=1e-6)
        assert (world.meter.threads, world.meter.concurrency) == (threads, at_once)
    finally:
        world.close()


def test_a_page_that_trickles_is_given_up_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """K5: bytes that are there at the deadline do not put it off."""
    monkeypatch.setattr("impl.ladder.pycoro.one_selector.PATIENCE", 0.05)
    monkeypatch.setattr("impl.ladder.pycoro.asynchttp.PATIENCE", 0.05)
    site = Site({GOOD: Raw(bytes(50_000), "image/png")}, ())
    weather = Weather(latency_ms_min=10, latency_ms_max=10, buffer_bytes=500)
    for run in RUNS.values():
        assert fetched(run, site, weather) == {GOOD: Failure("timeout")}


def test_what_is_ready_too_late_is_too_late(world: SimulatedWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """K5, in a thread: when the connect is done, the clock says that patience is over."""
    clock = iter([0.0, 0.1, PATIENCE + 1])
    monkeypatch.setattr(world, "time", lambda: next(clock))
    assert asynchttp.fetch(world, GOOD) == Failure("timeout")


def test_the_bytes_of_what_waits() -> None:
    assert 200 < bytes_of(one_selector.waiting_unit) < 2000


def test_both_are_in_the_table() -> None:
    assert [rung.name for rung in RUNGS if rung.module.startswith("pycoro.")] == list(RUNS)
