"""Sites, environments, crawls and fixtures that the tests of the ladder share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

import pytest

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier, everything
from impl.crawl.record import Record, canonical, comparable, record
from impl.ladder.rungs.running import EventLoop
from impl.ladder.world import World
from impl.ladder.world.simulation import SimSelector, SimulatedWorld
from impl.net import NetworkConditions
from impl.sim.choices import Choices
from impl.web.outcome import Outcome
from impl.web.serving.site import Resource, Site

from ...crawls.simulated_runtime import by_impl

R, A, B, C, D = (f"http://a.test/{name}" for name in ("", "a", "b", "c", "d"))
NOTHING = Site({}, ())


class Served(dict[str, Resource]):
    """Resources that record each request for them in `asked`."""

    def __init__(self, resources: dict[str, Resource]) -> None:
        super().__init__(resources)
        self.asked: list[str] = []

    def get(self, url: str, default: Any = None) -> Any:  # Any: as dict's
        self.asked.append(url)
        return super().get(url, default)


@contextmanager
def simulated(
    site: Site = NOTHING, choices: Choices | None = None, conditions: NetworkConditions | None = None
) -> Iterator[SimulatedWorld]:
    """A simulated environment, closed at the end."""
    with closing(SimulatedWorld(site, choices, conditions)) as world:
        yield world


@contextmanager
def looping(*environment: Any) -> Iterator[EventLoop]:  # Any: the parameters of `simulated`
    """The loop of rung 15 in a simulated environment."""
    with simulated(*environment) as world, closing(EventLoop(world)) as loop:
        yield loop


@contextmanager
def running(world: World, *works: Callable[[], object]) -> Iterator[None]:
    """A thread for each; all of them have ended after the block."""
    threads = [world.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join()


def rows(outcomes: dict[str, Outcome]) -> list[Record]:
    """The outcomes as records, without the fields that the schedule decides; sorted by URL."""
    return [comparable(record(url, outcome, 0)) for url, outcome in sorted(outcomes.items())]


def reference_rows(site: Site) -> list[Record]:
    """The records of the package's crawler for the same site."""
    frontier = Frontier(site.limit, everything)
    by_impl(site, CrawlConfig(site.roots, max_redirect=site.limit), frontier, 0)
    return [replace(row, budget=0) for row in canonical(frontier)]


def logged(caplog: pytest.LogCaptureFixture, *loggers: str) -> list[str]:
    """The names of the errors that were logged, by these loggers or by any."""
    return [
        record.exc_info[0].__name__
        for record in caplog.records
        if record.exc_info and record.exc_info[0] and (not loggers or record.name in loggers)
    ]


@pytest.fixture
def loop() -> Iterator[EventLoop]:
    """The loop of rung 15 in an empty environment."""
    with looping() as made:
        yield made


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many sockets were still registered when each simulated selector was closed; all must be closed (K11)."""
    left: list[int] = []
    made: list[SimSelector] = []
    init, close = SimSelector.__init__, SimSelector.close

    def noted_init(self: SimSelector, *args: Any) -> None:
        init(self, *args)
        made.append(self)

    def noted_close(self: SimSelector) -> None:
        left.append(len(self._watched))
        close(self)

    monkeypatch.setattr(SimSelector, "__init__", noted_init)
    monkeypatch.setattr(SimSelector, "close", noted_close)
    yield left
    assert left == [0] * len(made)
