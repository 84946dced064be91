"""The ladder's end: `async` and `await` (rung 17), then asyncio and aiohttp; the defects K12 and Q5 cannot be there."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import aiohttp
import pytest

from impl.crawl.frontier import everything
from impl.crawl.outcome import Failure, Outcome, Page
from impl.crawl.record import Record
from impl.ladder import asyncio_end, native
from impl.ladder.asyncio_world import AsyncioWorld
from impl.ladder.http import PATIENCE
from impl.ladder.real import RealWorld
from impl.ladder.simulated import SimulatedWorld
from impl.ladder.task_future import Task
from impl.ladder.two_schedules import site
from impl.ladder.yielding import Coroutine
from impl.sim.choices import Choices
from impl.web.site import Broken, Html, Moved, Site

from ..crawls import aiohttp_arm
from ..crawls.sites import draw
from .ladder_crawls import A, B, C, R, reference, rows

# --- async and await -----------------------------------------------------------------------------------------


def test_python_warns_of_a_coroutine_that_nobody_awaits() -> None:
    """Q5 cannot happen unseen any more; the type checker sees it as well."""
    with pytest.warns(RuntimeWarning, match="'parked' was never awaited"):  # noqa: PT031
        native.parked(native.Future())  # type: ignore[unused-coroutine]  # that is the mistake
        gc.collect()


def test_a_coroutine_cannot_be_iterated_by_mistake() -> None:
    work = native.parked(native.Future())
    with pytest.raises(TypeError, match="not iterable"):
        iter(work)  # type: ignore[call-overload]  # that is the mistake
    work.close()


def test_the_bridges_between_generators_and_coroutines() -> None:
    """A coroutine that awaits a generator that waits for a future, run by the Task of rung 13."""
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


# --- asyncio and aiohttp -------------------------------------------------------------------------------------


def crawled(site: Site, **limits: Any) -> dict[str, Outcome]:
    """What the last rung makes of a site, whatever the host, in virtual time."""
    world = AsyncioWorld(site)
    try:
        return asyncio_end.crawl(world, site.roots, site.limit, allows=everything, **limits)
    finally:
        world.close()
        assert world.open == 0


def crawled_for_real(site: Site, **limits: Any) -> dict[str, Outcome]:
    """What the last rung makes of a site, whatever the host."""
    world = RealWorld(site)
    try:
        return asyncio_end.crawl(world, site.roots, site.limit, allows=everything, **limits)
    finally:
        world.close()
        assert world.open == 0


def alike(rows: list[Record]) -> list[Record]:
    """With those errors taken for one that aiohttp cannot tell apart."""
    return [replace(row, error=aiohttp_arm.ALIKE.get(row.error or "", row.error)) for row in rows]


Crawl = Callable[[Site], dict[str, Outcome]]
worlds = pytest.mark.parametrize("crawl", [crawled, crawled_for_real], ids=["virtual", "real"])


@worlds
@pytest.mark.parametrize("seed", range(8))
def test_the_end_gives_the_references_result(seed: int, crawl: Crawl) -> None:
    """K12: however many fetches fail."""
    drawn = draw(Choices.seeded(seed).program)
    site = replace(drawn, limit=sum(isinstance(it, Moved) for it in drawn.resources.values()))
    assert alike(rows(crawl(site))) == alike(reference(site))


@worlds
def test_one_failure_does_not_lose_the_others(crawl: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    """K12: the first fails long before the others are there; and there is one session for all of them."""
    sessions: list[aiohttp.ClientSession] = []

    def noted(**settings: Any) -> aiohttp.ClientSession:  # Any: whatever the rung says
        sessions.append(aiohttp.ClientSession(**settings))
        return sessions[-1]

    monkeypatch.setattr(asyncio_end, "ClientSession", noted)
    site = Site({R: Html((A, B, C)), A: Broken("reset", 200), B: Html((), 50), C: Html((), 50)}, (R,))
    found = crawl(site)
    assert isinstance(found[A], Failure)
    assert [type(found[url]) for url in (B, C)] == [Page, Page]
    assert [session.closed for session in sessions] == [True]


@worlds
def test_the_end_has_the_rule_of_first_discovery_still(crawl: Crawl) -> None:
    """S1: on a virtual clock and on a real one."""
    assert {slow: len(crawl(site(slow))) for slow in "ab"} == {"a": 4, "b": 5}


def test_the_end_waits_in_virtual_time() -> None:
    """K5: for the whole of its patience, and for nothing in reality."""
    silent = Site({R: Broken("silent")}, (R,))
    world = AsyncioWorld(silent)
    assert asyncio_end.crawl(world, [R]) == {R: Failure("timeout")}
    assert world.time() == PATIENCE


def test_the_end_gives_up_a_silent_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """K5; whoever waits for the only worker is served then."""
    monkeypatch.setattr(asyncio_end, "PATIENCE", 0.1)
    site = Site({R: Html((A, B)), A: Broken("silent"), B: Html()}, (R,))
    world = RealWorld(site)
    try:
        found = asyncio_end.crawl(world, [R], max_tasks=1)
        assert 0.1 < world.time() < 3
    finally:
        world.close()
    assert found[A] == Failure("timeout")
    assert isinstance(found[B], Page)


def test_at_the_end_a_worker_that_fails_ends_the_crawl(monkeypatch: pytest.MonkeyPatch) -> None:
    """C1: what no fetch should raise; the task group raises it, and ends the others."""

    async def fetch(session: aiohttp.ClientSession, url: str) -> Outcome:
        raise LookupError(url)

    monkeypatch.setattr(asyncio_end, "fetch", fetch)
    with pytest.raises(ExceptionGroup) as raised:
        crawled_for_real(Site({R: Html()}, (R,)))
    assert [type(error) for error in raised.value.exceptions] == [LookupError]


def test_the_end_does_not_run_where_programs_block() -> None:
    """And there must be a worker (C9)."""
    world = SimulatedWorld(Site({}, ()))
    try:
        with pytest.raises(TypeError, match="a simulated one of its own"):
            asyncio_end.run(world, [R])
    finally:
        world.close()
    with pytest.raises(ValueError, match="max_tasks must be 1 or more, not 0"):
        crawled_for_real(Site({}, ()), max_tasks=0)


def test_an_error_that_is_nobodys_word_is_raised() -> None:
    error = aiohttp.InvalidURL("not for us")
    with pytest.raises(aiohttp.InvalidURL):
        asyncio_end.word(error)
