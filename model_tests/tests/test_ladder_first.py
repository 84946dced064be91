"""The ladder's first rungs, from blocking sockets to callbacks: the defects K1 to K11 of the text's sketches are not
there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from impl.crawl.outcome import Failure, Outcome, Page
from impl.ladder.http import CHUNK, PATIENCE
from impl.ladder.measure import a_world, reference
from impl.ladder.rungs import blocking, callbacks, polling, processes, threads
from impl.ladder.two_schedules import by_the_reference
from impl.ladder.world.interfaces import Meter, World
from impl.ladder.world.real import RealWorld
from impl.ladder.world.sim_selector import SimSelector
from impl.ladder.world.sim_socket import SimSocket
from impl.ladder.world.simulated import SimulatedWorld
from impl.net import Weather
from impl.web.site import Broken, Fault, Html, Moved, Raw, Site

Run = Callable[[World, Sequence[str]], dict[str, Outcome]]
RUNS: dict[str, Run] = {
    "blocking": blocking.run,
    "threads": threads.run,
    "polling": polling.run,
    "callbacks": callbacks.run,
}
every_rung = pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)

GOOD = "http://xkcd.test/good"
OTHER = "http://other.test/page"
FAULTS: list[Fault] = ["refused", "no-such-host", "reset", "incomplete", "garbage", "status", "no-location"]


def fetched(run: Run, site: Site, weather: Weather | None = None) -> tuple[dict[str, Outcome], float, Meter]:
    """What became of its pages, how many seconds it took, and what it used; every socket is closed then (K11)."""
    world = SimulatedWorld(site, weather=weather)
    try:
        outcomes = run(world, list(site.resources))
        assert world.socket.by_fd == {}
        return outcomes, world.time(), world.meter
    finally:
        world.close()


def with_one(fault: Fault) -> Site:
    """A page that fails in that way, and a good one."""
    return Site({OTHER: Broken(fault), GOOD: Html((), 50)}, ())


@every_rung
@pytest.mark.parametrize("fault", FAULTS)
def test_what_fails_is_a_failure_and_the_other_page_is_fetched(run: Run, fault: Fault) -> None:
    """K1 (refused), K3 (reset), K4 (incomplete), K11 (status): what the reference says of them."""
    site = with_one(fault)
    outcomes, _, _ = fetched(run, site)
    assert outcomes == reference(site, [OTHER, GOOD])
    assert isinstance(outcomes[OTHER], Failure)
    assert isinstance(outcomes[GOOD], Page)


@pytest.mark.parametrize("run", [*RUNS.values(), processes.run], ids=[*RUNS, "processes"])
def test_on_real_sockets_too(run: Run) -> None:
    """K1, K3, K4."""
    resources = {f"http://{fault}.test/": Broken(fault) for fault in FAULTS}
    site = Site({**resources, GOOD: Html((), 50)}, ())
    urls = list(site.resources)
    world = RealWorld(site)
    try:
        assert run(a_world(world), urls) == reference(site, urls)
    finally:
        world.close()


def test_asking_again_ends_when_the_connection_is_refused() -> None:
    """K2: that nobody listens is not "not yet"."""
    outcomes, seconds, meter = fetched(polling.run, Site({OTHER: Broken("refused")}, ()))
    assert outcomes == {OTHER: Failure("refused")}
    assert seconds < 0.01
    assert meter.vain < 100


def test_a_callback_is_called_with_what_it_takes_and_reads_why_a_connect_has_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """K7; K1: a socket is writable, too, when its connect has failed, and nothing is sent then."""
    tried: list[bytes] = []
    monkeypatch.setattr(SimSocket, "send", lambda self, data: tried.append(data))
    assert fetched(callbacks.run, Site({OTHER: Broken("refused")}, ()))[0] == {OTHER: Failure("refused")}
    assert tried == []


@every_rung
def test_a_server_that_is_silent_is_given_up(run: Run) -> None:
    """K5: after PATIENCE, and only that fetch."""
    outcomes, seconds, _ = fetched(run, with_one("silent"))
    assert outcomes[OTHER] == Failure("timeout")
    assert isinstance(outcomes[GOOD], Page)
    assert PATIENCE <= seconds < PATIENCE + 0.06


@every_rung
def test_a_page_that_trickles_is_given_up_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """K5: patience is for the fetch, not for each call."""
    for module in (blocking, polling, callbacks):
        monkeypatch.setattr(module, "PATIENCE", 0.1)
    site = Site({GOOD: Raw(bytes(50_000), "image/png")}, ())
    weather = Weather(latency_ms_min=10, latency_ms_max=10, buffer_bytes=500)
    outcomes, seconds, _ = fetched(run, site, weather)
    assert outcomes == {GOOD: Failure("timeout")}
    assert seconds == pytest.approx(0.1, abs=0.001)


@every_rung
def test_a_request_that_is_sent_in_pieces_arrives_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """K6: `send` takes three bytes at a time."""
    send = SimSocket.send
    monkeypatch.setattr(SimSocket, "send", lambda self, data: send(self, data[:3]))
    site = Site({GOOD: Html((OTHER,)), OTHER: Moved(GOOD)}, ())
    assert fetched(run, site)[0] == reference(site, [GOOD, OTHER])


@every_rung
def test_a_long_page_comes_whole_and_without_its_headers(run: Run) -> None:
    """K8, K11."""
    body = bytes(range(256)) * 400
    assert len(body) > 20 * CHUNK
    outcome = fetched(run, Site({GOOD: Raw(body, "image/png")}, ()))[0][GOOD]
    assert isinstance(outcome, Page)
    assert outcome.size == len(body)


def test_whatever_was_registered_is_unregistered(monkeypatch: pytest.MonkeyPatch) -> None:
    """K11: by the time that the selector is closed, which it is."""
    left: list[int] = []
    close = SimSelector.close

    def closing(self: SimSelector) -> None:
        left.append(len(self._keys))
        close(self)

    monkeypatch.setattr(SimSelector, "close", closing)
    resources = {f"http://{fault}.test/": Broken(fault) for fault in [*FAULTS, "silent"]}
    fetched(callbacks.run, Site({**resources, GOOD: Html((), 50)}, ()))
    assert left == [0]


@pytest.mark.parametrize(("pages", "widest"), [(1, 1), (8, 4), (30, 15)])
def test_the_callbacks_crawler_follows_every_link_once(pages: int, widest: int) -> None:
    """A tree with links back and out of the host, to its end; each of its levels is on its way at once."""
    urls = [f"http://xkcd.test/{number}" for number in range(pages)]
    links = [tuple(urls[n] for n in (2 * i + 1, 2 * i + 2, 0, i) if n < pages) for i in range(pages)]
    resources = {url: Html((*onward, OTHER), 50) for url, onward in zip(urls, links, strict=True)}
    site = Site({**resources, OTHER: Html((GOOD,))}, (urls[0],))
    world = SimulatedWorld(site)
    try:
        outcomes = callbacks.crawl(world, urls[0])
        assert outcomes == by_the_reference(site)
        assert sorted(outcomes) == sorted(urls)
        assert world.socket.by_fd == {}
        assert world.meter.concurrency == widest
    finally:
        world.close()


@every_rung
def test_no_urls_are_fetched_at_once(run: Run) -> None:
    outcomes, seconds, _ = fetched(run, Site({}, ()))
    assert (outcomes, seconds) == ({}, 0)
