"""The ladder's fetches that wait in generators: what a network may do to them, the defects K1 to K11 of the text's
sketch, and that their loop leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from impl.crawl.outcome import Failure, Outcome, Page
from impl.ladder.http import CHUNK, PATIENCE
from impl.ladder.measure import a_world, reference
from impl.ladder.rungs import (
    cancelling,
    chapter,
    delegating,
    join_queue,
    native,
    running,
    task_future,
    yielding,
)
from impl.ladder.world.interfaces import World
from impl.ladder.world.real import RealWorld
from impl.ladder.world.sim_selector import SimSelector
from impl.ladder.world.sim_socket import SimSocket
from impl.ladder.world.simulated import SimulatedWorld
from impl.web.site import Broken, Fault, Html, Moved, Raw, Site

Run = Callable[[World, Sequence[str]], dict[str, Outcome]]
RUNS: dict[str, Run] = {
    "yielding": yielding.run,
    "delegating": delegating.run,
    "cancelling": cancelling.run,
    "task_future": task_future.run,
    "join_queue": join_queue.run,
    "running": running.run,
    "chapter": chapter.run,
    "native": native.run,
}
every_rung = pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)

GOOD = "http://xkcd.test/good"
OTHER = "http://other.test/page"


def with_one(fault: Fault) -> Site:
    """A good page, and another that fails in that way."""
    return Site({GOOD: Html((), 50), OTHER: Broken(fault)}, ())


def fetched(run: Run, site: Site) -> tuple[dict[str, Outcome], float]:
    """What became of its pages, and how many seconds it took; everything is closed then."""
    world = SimulatedWorld(site)
    try:
        outcomes = run(world, list(site.resources))
        assert world.socket.by_fd == {}
        return outcomes, world.time()
    finally:
        world.close()


@pytest.fixture(autouse=True)
def tidy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """K11: whatever has been registered has been unregistered when the selector is closed, and it is closed."""
    made: list[SimSelector] = []
    closed: list[SimSelector] = []
    old_init, old_close = SimSelector.__init__, SimSelector.close

    def init(self: SimSelector, *args: object) -> None:
        old_init(self, *args)  # type: ignore[arg-type]  # whatever it takes
        made.append(self)

    def close(self: SimSelector) -> None:
        assert self._keys == {}
        old_close(self)
        closed.append(self)

    monkeypatch.setattr(SimSelector, "__init__", init)
    monkeypatch.setattr(SimSelector, "close", close)
    yield
    assert made == closed


@every_rung
@pytest.mark.parametrize(
    "fault", ["refused", "no-such-host", "reset", "incomplete", "garbage", "status", "no-location"]
)
def test_what_fails_is_a_failure_and_the_other_page_is_fetched(run: Run, fault: Fault) -> None:
    """K1 (refused), K3 (reset), K4 (incomplete): what the reference says of them."""
    site = with_one(fault)
    outcomes, _ = fetched(run, site)
    assert outcomes == reference(site, [GOOD, OTHER])
    assert isinstance(outcomes[GOOD], Page)
    assert isinstance(outcomes[OTHER], Failure)


@every_rung
def test_nothing_is_sent_where_there_is_no_connection(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """K1: a socket is writable, too, when its connect has failed."""
    tried: list[bytes] = []

    def send(self: SimSocket, data: bytes) -> int:
        tried.append(data)
        return len(data)

    monkeypatch.setattr(SimSocket, "send", send)
    outcomes, _ = fetched(run, Site({OTHER: Broken("refused")}, ()))
    assert (outcomes, tried) == ({OTHER: Failure("refused")}, [])


@every_rung
def test_a_server_that_is_silent_is_given_up(run: Run) -> None:
    """K5: after PATIENCE, and only that fetch."""
    outcomes, seconds = fetched(run, with_one("silent"))
    assert outcomes[OTHER] == Failure("timeout")
    assert isinstance(outcomes[GOOD], Page)
    assert PATIENCE <= seconds < PATIENCE + 0.01


@every_rung
def test_a_page_that_is_in_time_may_follow_one_that_is_not(run: Run) -> None:
    """K5: time is counted for each fetch, from its beginning."""
    late = {f"http://xkcd.test/{number}": Html((), 4500) for number in range(12)}
    world = SimulatedWorld(Site(late, ()))
    try:
        for _ in range(2):
            assert {type(outcome) for outcome in run(world, list(late)).values()} == {Page}
    finally:
        world.close()


@every_rung
def test_a_request_that_is_sent_in_pieces_arrives_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """K6: `send` takes three bytes at a time."""
    send = SimSocket.send
    monkeypatch.setattr(SimSocket, "send", lambda self, data: send(self, data[:3]))
    site = Site({GOOD: Html((OTHER,)), OTHER: Moved(GOOD)}, ())
    outcomes, _ = fetched(run, site)
    assert outcomes == reference(site, [GOOD, OTHER])


@every_rung
def test_no_chunk_of_a_long_page_is_lost(run: Run) -> None:
    """K8."""
    body = bytes(range(256)) * 400
    assert len(body) > 20 * CHUNK
    outcomes, _ = fetched(run, Site({GOOD: Raw(body, "image/png")}, ()))
    outcome = outcomes[GOOD]
    assert isinstance(outcome, Page)
    assert outcome.size == len(body)


@every_rung
def test_no_urls_are_fetched_at_once(run: Run) -> None:
    assert fetched(run, Site({}, ())) == ({}, 0)


@every_rung
def test_the_same_on_real_sockets(run: Run) -> None:
    """K1, K3, K4, and ten good pages."""
    faults: list[Fault] = ["refused", "no-such-host", "reset", "incomplete"]
    site = Site(
        {
            **{f"http://xkcd.test/{number}": Html((), 10) for number in range(10)},
            **{f"http://{fault}.test/": Broken(fault) for fault in faults},
        },
        (),
    )
    urls = list(site.resources)
    world = RealWorld(site)
    try:
        assert run(a_world(world), urls) == reference(site, urls)
    finally:
        world.close()
