"""Libraries, unmodified, on the simulated asyncio loop: streams, aiohttp, httpx, anyio, with and without TLS.

A program is run twice in this process: equal runs are equal, event by event.  Different seeds give different runs, so
the comparison is not vacuous.  Other processes, with another order of sets, run it in tests/determinism.
"""

from __future__ import annotations

import threading
import time
from functools import partial
from importlib.metadata import version

import anyio
import pytest

from impl.bridges.asyncio.patches import TESTED
from impl.bridges.asyncio.run import simulate
from impl.sim.order import Order

from .programs import ORDERS, PAGES, PROGRAMS, Contexts, contexts, crawl, digest, fetches, scopes, streams


@pytest.fixture(scope="module", params=["plain", "tls"])
def tls(request: pytest.FixtureRequest) -> Contexts | None:
    return contexts() if request.param == "tls" else None


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_equal_runs_are_equal(name: str, order: Order, tls: Contexts | None, full: bool) -> None:
    seeds = range(50 if full else 1 if tls else 2)
    first = [digest(PROGRAMS[name], seed, order, tls) for seed in seeds]
    assert [digest(PROGRAMS[name], seed, order, tls) for seed in seeds] == first
    assert len(set(first)) == len(seeds)


@pytest.mark.parametrize("order", ORDERS)
def test_asyncio_streams(order: Order, tls: Contexts | None) -> None:
    answers = simulate(partial(streams, tls), seed=7, order=order).outcome()
    expected = [(number, len("line 0\n") * 5000) for number in range(5)]
    assert sorted(answers) == [(-1, 0), *expected]


@pytest.mark.parametrize("order", ORDERS)
def test_a_crawl_with_aiohttp_of_a_site_on_aiohttp(order: Order, tls: Contexts | None) -> None:
    seen, created, reused, log = simulate(partial(crawl, tls), seed=7, order=order).outcome()
    assert seen == len(log) - 1
    assert 50 <= seen <= PAGES
    assert sum(redirects for _, redirects, _ in log) >= 5
    assert 1 <= created <= 20
    assert reused > seen / 2  # keep-alive
    assert log[-1] == ("ConnectionRefusedError", 0, 0)


@pytest.mark.parametrize("order", ORDERS)
def test_httpx(order: Order, tls: Contexts | None) -> None:
    answers = simulate(partial(fetches, tls), seed=7, order=order).outcome()
    assert sorted(text for _, text in answers) == ["RemoteProtocolError"] * 2 + ["hello"] * 4


@pytest.mark.parametrize("order", ORDERS)
def test_anyio(order: Order, tls: Contexts | None) -> None:
    run = simulate(partial(scopes, tls), seed=7, order=order)
    answers = run.outcome()
    assert sorted(answers[:4]) == [b"ASK 0", b"ASK 1", b"ASK 2", b"ASK 3"]
    assert answers[4] is True
    assert sorted(answers[5:]) == ["a", "b", "c", "d"]
    assert 5 * 10**9 < run.elapsed_ns < 6 * 10**9  # the scope that timed out after 5 seconds


def test_the_patches_were_tested_with_these_versions() -> None:
    """If this fails, check that the class still matches patches.py, and add the version."""
    assert [library for library in TESTED if version(library).rpartition(".")[0] not in TESTED[library]] == []


def test_scopes_of_anyio_keep_their_hash_outside_of_the_simulation() -> None:
    async def one() -> int:
        return hash(anyio.CancelScope())

    async def two() -> tuple[int, int]:
        kept = anyio.CancelScope()
        return hash(kept), hash(kept)

    assert simulate(one).outcome() == simulate(one).outcome()
    first, again = anyio.run(two)
    assert first == again


def test_functions_in_threads_of_anyio_take_virtual_time() -> None:
    log: list[int] = []

    def work(number: int) -> int:
        time.sleep(1)
        log.append(number)
        return number

    async def main() -> float:
        limiter = anyio.CapacityLimiter(1)
        begun = anyio.current_time()
        async with anyio.create_task_group() as group:
            for number in range(3):
                group.start_soon(partial(anyio.to_thread.run_sync, work, number, limiter=limiter))
        log.append(await anyio.to_thread.run_sync(work, 3))
        with pytest.raises(ZeroDivisionError):
            await anyio.to_thread.run_sync(lambda: 1 / 0)
        return anyio.current_time() - begun

    assert simulate(main).outcome() == 4.0
    assert log == [0, 1, 2, 3, 3]
    assert anyio.run(anyio.to_thread.run_sync, threading.get_ident) != threading.get_ident()
