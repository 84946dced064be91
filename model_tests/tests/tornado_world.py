"""What the tests of the ladder's Tornado share: a world, a loop, futures that are done, and what has been logged.

The generators are fixtures, made so where they are used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from impl.ladder.tornado.future import Future
from impl.ladder.tornado.ioloop import IOLoop
from impl.ladder.world.sim_selector import SimSelector
from impl.ladder.world.simulated import SimulatedWorld
from impl.web.site import Site


def nothing_stays_registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """K11: every selector is closed, and then nothing is registered there but the loop's own waker."""
    left: list[int] = []
    made: list[object] = []
    close, default = SimSelector.close, SimulatedWorld.DefaultSelector

    def making(world: SimulatedWorld) -> SimSelector:
        selector = default(world)
        made.append(selector)
        return selector

    def counting(selector: SimSelector) -> None:
        left.append(len(selector._keys))
        close(selector)

    monkeypatch.setattr(SimSelector, "close", counting)
    monkeypatch.setattr(SimulatedWorld, "DefaultSelector", making)
    yield
    assert left == [1] * len(made)


def a_world(tidy: None) -> Iterator[SimulatedWorld]:
    made = SimulatedWorld(Site({}, ()))
    yield made
    made.close()


def a_loop(world: SimulatedWorld) -> Iterator[IOLoop]:
    made = IOLoop(world)
    yield made
    made.close()


def done(result: object = None) -> Future[Any]:  # Any: whatever the test has put there
    future = Future[Any]()
    future.set_result(result)
    return future


def failed(error: BaseException) -> Future[Any]:  # Any: as above
    future = Future[Any]()
    future.set_exception(error)
    return future


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The errors that have been logged, by name."""
    return [
        record.exc_info[0].__name__ for record in caplog.records if record.exc_info and record.exc_info[0]
    ]
