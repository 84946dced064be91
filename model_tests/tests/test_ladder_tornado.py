"""The coroutines and the fetch of the ladder's Tornado: the defects N7 and N8 of the text's sketch are not there; N9 is
the text's own rule.
"""

from __future__ import annotations

from collections.abc import Callable
from selectors import EVENT_READ
from typing import Any

import pytest

from impl.crawl.outcome import Failure, Page, Redirect
from impl.ladder import tornado
from impl.ladder.http import PATIENCE
from impl.ladder.measure import pages, reference
from impl.ladder.tornado import sums
from impl.ladder.tornado.coroutine import BadYieldError, Coroutine, Return, Runner, coroutine, moment
from impl.ladder.tornado.fetch import loop_to_wait_on
from impl.ladder.tornado.future import Future
from impl.ladder.tornado.ioloop import IOLoop
from impl.ladder.world.sim_socket import SimSocket
from impl.ladder.world.simulated import SimulatedWorld
from impl.web.site import Broken, Fault, Html, Moved, Raw, Site

from .tornado_world import a_loop, a_world, done, logged, nothing_stays_registered

GOOD = "http://xkcd.test/good"
OTHER = "http://other.test/page"

tidy = pytest.fixture(autouse=True)(nothing_stays_registered)
world = pytest.fixture(a_world)
loop = pytest.fixture(a_loop)


# --- coroutines -------------------------------------------------------------------------------------------


def test_the_first_step_is_taken_in_the_call(loop: IOLoop) -> None:
    order: list[str] = []

    @coroutine
    def child() -> Coroutine[None]:
        order.append("first step")
        yield moment
        order.append("second step")

    @coroutine
    def program() -> Coroutine[None]:
        future = child()
        order.append("called")
        yield future

    loop.run_sync(program)
    assert order == ["first step", "called", "second step"]


def test_a_coroutine_keeps_its_argument_callback(loop: IOLoop) -> None:
    """N7."""

    @coroutine
    def program(callback: Callable[[int], int]) -> Coroutine[int]:
        yield moment
        return callback(5)

    assert loop.run_sync(lambda: program(callback=lambda n: n + 1)) == 6


def test_asyn_sum_ends_and_prints_in_the_texts_order(world: SimulatedWorld) -> None:
    """N8."""
    said: list[str] = []
    assert sums.main(world, said.append) == 5
    assert said == ["begin", "calculating", "after yielded", "the 2+3=5"]


PATIENT = 10_000


def yields_until_called(waits_for: Future[None]) -> Callable[[], Future[int]]:
    """A coroutine that yields that future until a callback has run, or patience has: how often."""

    @coroutine
    def program() -> Coroutine[int]:
        called: list[bool] = []
        IOLoop.current().add_callback(called.append, True)
        for count in range(PATIENT):
            if called:
                return count
            yield waits_for
        return PATIENT

    return program


def test_who_yields_only_done_futures_starves_the_loop(loop: IOLoop) -> None:
    """N9, the text's own rule; and `moment`, the escape."""
    assert loop.run_sync(yields_until_called(done())) == PATIENT
    assert loop.run_sync(yields_until_called(moment)) == 1


def test_with_moment_timeouts_and_sockets_have_their_turn(loop: IOLoop, world: SimulatedWorld) -> None:
    here, there = world.socket.socketpair()
    came: list[str] = []

    def handler(fd: int, events: int) -> None:
        came.append("handler")
        loop.remove_handler(fd)

    @coroutine
    def program() -> Coroutine[list[str]]:
        loop.add_handler(there.fileno(), handler, EVENT_READ)
        loop.add_timeout(0, came.append, "timeout")
        here.send(b"!")
        for _ in range(3):
            yield moment
        return came

    seen = loop.run_sync(program)
    assert sorted(seen) == ["handler", "timeout"]


@pytest.mark.parametrize("bad", [7, None, "text", (), [7], {"a": [None]}], ids=repr)
def test_a_bad_yield_is_raised_at_the_yield(bad: object, loop: IOLoop) -> None:
    @coroutine
    def program() -> Coroutine[str]:
        try:
            yield bad
        except BadYieldError:
            yield moment  # it can go on
            return "caught"
        return "not raised"

    assert loop.run_sync(program) == "caught"


def test_lists_and_dicts_of_futures_are_waited_for_together(
    loop: IOLoop, world: SimulatedWorld, caplog: pytest.LogCaptureFixture
) -> None:
    @coroutine
    def after(seconds: float) -> Coroutine[float]:
        future = Future[float]()
        loop.add_timeout(world.time() + seconds, future.set_result, seconds)
        result: float = yield future
        return result

    @coroutine
    def program() -> Coroutine[Any]:  # Any: of every shape
        twice = after(0.1)
        nested = yield {"list": [after(0.3), twice, twice], "dict": {1: after(0.2)}, "done": done(4)}
        return nested, (yield []), (yield {}), round(world.time(), 6)

    nested = {"list": [0.3, 0.1, 0.1], "dict": {1: 0.2}, "done": 4}
    assert loop.run_sync(program) == (nested, [], {}, 0.3)
    assert logged(caplog) == []


def test_of_several_errors_the_first_is_raised_when_all_are_done_and_the_others_logged(
    loop: IOLoop, world: SimulatedWorld, caplog: pytest.LogCaptureFixture
) -> None:
    @coroutine
    def fail(error: Exception, seconds: float) -> Coroutine[None]:
        future = Future[None]()
        loop.add_timeout(world.time() + seconds, future.set_exception, error)
        yield future

    @coroutine
    def program() -> Coroutine[str]:
        try:
            yield [fail(KeyError(), 0.2), fail(ValueError(), 0.1), moment]
        except Exception as error:
            return f"{type(error).__name__} at {world.time():.1f}"
        return "not raised"

    assert loop.run_sync(program) == "KeyError at 0.2"
    assert logged(caplog) == ["ValueError"]


def test_a_coroutine_returns_in_four_ways(loop: IOLoop) -> None:
    @coroutine
    def returns() -> Coroutine[int]:
        yield moment
        return 1

    @coroutine
    def raises_return() -> Coroutine[int]:
        yield moment
        raise Return(2)

    @coroutine
    def returns_at_once() -> Coroutine[int]:
        return 3
        yield

    @coroutine
    def is_no_generator() -> int:
        return 4

    @coroutine
    def program() -> Coroutine[list[int]]:
        results: list[int] = yield [returns(), raises_return(), returns_at_once(), is_no_generator()]
        return results

    assert loop.run_sync(program) == [1, 2, 3, 4]


def test_a_runner_that_runs_or_has_finished_is_not_resumed(loop: IOLoop) -> None:
    """F8: else the generator were told to run in the middle of itself."""
    runners: list[Runner[int]] = []
    result = Future[int]()

    def generator() -> Coroutine[int]:
        yield moment
        runners[0].run()
        return 5

    def program() -> Future[int]:
        made = generator()
        runners.append(Runner(made, result, next(made)))
        return result

    assert loop.run_sync(program) == 5
    runners[0].run()


# --- the fetch --------------------------------------------------------------------------------------------


def fetched(site: Site) -> tuple[dict[str, object], float]:
    """What became of the pages, and in how many seconds; no socket is left open."""
    world = SimulatedWorld(site)
    try:
        outcomes: dict[str, object] = dict(tornado.run(world, list(site.resources)))
        assert world.socket.by_fd == {}
        return outcomes, world.time()
    finally:
        world.close()


FAULTS: tuple[Fault, ...] = ("refused", "no-such-host", "reset", "incomplete", "garbage", "no-location")


def test_the_fetch_has_the_references_outcomes() -> None:
    """K1, K3, K4, K6: refused, unknown, reset, broken off, garbage; and the pages beside them."""
    site = Site(
        {
            GOOD: Html((OTHER,), 50),
            "http://xkcd.test/moved": Moved(GOOD),
            "http://xkcd.test/missing": Broken("status", 404),
            "http://xkcd.test/big": Raw(b"x" * 300_000, "text/html"),
            **{f"http://{fault}.test/": Broken(fault) for fault in FAULTS},
        },
        (),
    )
    outcomes, _ = fetched(site)
    assert outcomes == reference(site, list(site.resources))
    assert {type(outcome) for outcome in outcomes.values()} == {Page, Redirect, Failure}


def test_nothing_is_sent_on_a_connection_that_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """K1: its socket is writable, and SO_ERROR says why."""
    sent: list[bytes] = []
    monkeypatch.setattr(SimSocket, "send", lambda sock, data: sent.append(data))
    outcomes, _ = fetched(Site({OTHER: Broken("refused")}, ()))
    assert type(outcomes[OTHER]) is Failure
    assert sent == [b"!"]  # the loop's own waker


def test_a_server_that_says_nothing_is_given_up() -> None:
    """K5: and nobody else waits for it."""
    outcomes, seconds = fetched(Site({GOOD: Html((), 50), OTHER: Broken("silent")}, ()))
    assert (type(outcomes[GOOD]), type(outcomes[OTHER])) == (Page, Failure)
    assert seconds == pytest.approx(PATIENCE, abs=0.01)


def test_all_pages_are_fetched_at_once() -> None:
    site = pages(25)
    world = SimulatedWorld(site)
    outcomes = tornado.run(world, list(site.resources))
    assert (len(outcomes), world.meter.concurrency, world.meter.threads) == (25, 25, 0)
    assert world.time() == pytest.approx(0.44, abs=0.01)
    world.close()


def test_what_could_not_be_sent_is_sent_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """K6."""
    send = SimSocket.send
    monkeypatch.setattr(SimSocket, "send", lambda sock, data: send(sock, data[:3]))
    outcomes, _ = fetched(Site({GOOD: Html((), 50)}, ()))
    assert type(outcomes[GOOD]) is Page


def test_a_waiting_unit_is_one_parked_coroutine() -> None:
    loop_to_wait_on.cache_clear()
    future = tornado.waiting_unit()
    assert isinstance(future, Future)
    assert not future.done()
    loop_to_wait_on().close()
    loop_to_wait_on.cache_clear()
