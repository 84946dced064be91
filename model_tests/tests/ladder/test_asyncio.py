"""Rung 17 and the ladder's end: `async` and `await`, then asyncio and aiohttp; the defect K12 is absent."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import aiohttp
import pytest

from impl.crawl.frontier import everything
from impl.crawl.record import Record
from impl.ladder.http import PATIENCE
from impl.ladder.rungs import asyncio_end, native
from impl.ladder.rungs.task_future import Task
from impl.ladder.rungs.yielding import Coroutine
from impl.ladder.world.asyncio_world import AsyncioWorld
from impl.ladder.world.real import RealWorld
from impl.sim.choices import Choices
from impl.web.outcome import FetchFailure, Outcome, Page
from impl.web.serving.site import Broken, Html, Moved, Site

from ...crawls import aiohttp_runtime
from ...crawls.sites import draw
from .conftest import A, B, C, R, reference_rows, rows

Make = Callable[[Site], AsyncioWorld | RealWorld]


def test_generators_and_coroutines_wait_for_each_other() -> None:
    """A coroutine awaits a generator that waits for a future; the Task of rung 13 runs it."""
    future = native.Future[str]()

    def generator() -> Coroutine[str]:
        return "generator " + (yield from future)

    async def inner() -> str:
        return "inner " + await native.finished(generator()) + await future

    async def outer() -> str:
        return "outer " + await inner()

    task = Task(native.steps(outer()))
    assert not task.done()
    future.set_result("result ")
    assert task.result() == "outer inner generator result result "


def crawled(make: Make, site: Site) -> dict[str, Outcome]:
    """The outcomes of a crawl of all hosts of the site."""
    with closing(make(site)) as world:
        found = asyncio_end.crawl(world, site.roots, site.limit, allows=everything)
    assert world.meter.open == 0
    return found


def alike(rows: list[Record]) -> list[Record]:
    """The records, with one error for those that aiohttp cannot tell apart."""
    return [replace(row, error=aiohttp_runtime.ERROR_ALIASES.get(row.error or "", row.error)) for row in rows]


worlds = pytest.mark.parametrize("make", [AsyncioWorld, RealWorld], ids=["virtual", "real"])


@worlds
@pytest.mark.parametrize("seed", range(3))
def test_the_end_gives_the_references_result(seed: int, make: Make) -> None:
    """K12: however many fetches fail."""
    drawn = draw(Choices.seeded(seed).program)
    site = replace(drawn, limit=sum(isinstance(it, Moved) for it in drawn.resources.values()))
    assert alike(rows(crawled(make, site))) == alike(reference_rows(site))


@worlds
def test_one_failure_does_not_lose_the_others(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """K12: the first fetch fails long before the others are done; one session serves all of them."""
    sessions: list[aiohttp.ClientSession] = []

    def noted(**settings: Any) -> aiohttp.ClientSession:  # Any: the rung's settings
        sessions.append(aiohttp.ClientSession(**settings))
        return sessions[-1]

    monkeypatch.setattr(asyncio_end, "ClientSession", noted)
    site = Site({R: Html((A, B, C)), A: Broken("reset", 200), B: Html((), 50), C: Html((), 50)}, (R,))
    found = crawled(make, site)
    assert isinstance(found[A], FetchFailure)
    assert [type(found[url]) for url in (B, C)] == [Page, Page]
    assert [session.closed for session in sessions] == [True]


def test_a_silent_server_is_given_up_in_virtual_time() -> None:
    """K5."""
    world = AsyncioWorld(Site({R: Broken("silent")}, (R,)))
    assert asyncio_end.crawl(world, [R]) == {R: FetchFailure("timeout")}
    assert world.time() == PATIENCE
