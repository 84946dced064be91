"""Trio programs (trio_programs.py) on the simulated network: results, and exact virtual times, the same everywhere."""

import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import anyio
import httpx
import pytest
import trio
import trio.testing

from impl.bridges.trio.clock import deadline_ns
from impl.bridges.trio.run import Network, run_trio, simulate_trio
from impl.errors import DeadlockError
from impl.net import Fault, NetworkConditions
from impl.sim.order import Order
from impl.sim.token import TokenError
from impl.web.serving.hosting import host_without_tasks
from impl.web.serving.site import Html, Moved, Site

from ...dev.pythons import ROOT, SUPPORTED, Interpreter
from . import trio_programs
from .trio_programs import CLIENTS, ORDERS, PROGRAMS, contexts, echo, sharing


@pytest.fixture
def runs() -> Callable[[Callable[[], Awaitable[None]]], None]:
    return run_trio


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("tls", [False, True])
def test_streams_and_servers(order: Order, tls: bool) -> None:
    answers = run_trio(echo, contexts() if tls else None, seed=3, order=order)
    assert [answer for answer in answers if isinstance(answer, str)] == ["OSError", "gaierror"]
    answered = sorted(answer for answer in answers if not isinstance(answer, str))
    assert [(number, size) for number, size, _ in answered] == [(n, 6 * 3000) for n in range(CLIENTS)]
    assert all(0.05 < time < 1 for *_, time in answered)


def test_nurseries_channels_timeouts() -> None:
    seen = run_trio(sharing, None)
    assert [item for name, item, *_ in seen if name in ("a", "b")] == list(range(8))
    blocked = seen.index(("all are blocked", 0.0))
    assert {name for name, *_ in seen[:blocked]} == {"a", "b"}
    went = [(number, time) for name, number, *time in seen[blocked + 1 :] if name == "went"]
    assert [number for number, _ in went] == list(range(6)), "one step has woken them: in order of birth"
    assert [time for _, (time,) in went] == pytest.approx([0, 0, 0.001, 0.003, 0.006, 0.01], abs=1e-8)
    assert sorted(item for name, item, *_ in seen if name == "ended") == list(range(6))
    caught, time = seen[-1]
    assert caught
    assert time == pytest.approx(5.015, abs=1e-6)


def test_processes_and_pythons_agree(full: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """This process, and one of every supported Python that is installed, with other hashes of strings.

    In the short form the oldest Python alone has one.
    """
    seeds = 10 if full else 1
    environments = [Interpreter(version, Path()).environment for version in (SUPPORTED if full else SUPPORTED[:1])]
    others = [python for python in environments if python.exists()]
    runs = [_start(python, seeds, str(number)) for number, python in enumerate([Path(sys.executable), *others])]
    trio_programs.main(seeds)
    here = capsys.readouterr().out
    assert len(here.splitlines()) == len(PROGRAMS) * 2 * len(ORDERS)
    for run in runs:
        assert (run.communicate()[0], run.returncode) == (here, 0)


def _start(python: Path, seeds: int, hashes: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(python), "-m", "model_tests.tests.bridges.trio_programs", str(seeds)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hashes},
        stdout=subprocess.PIPE,
        text=True,
    )


# --- time ----------------------------------------------------------------------------------------------------


async def test_timeouts_strike_at_their_deadline() -> None:
    with pytest.raises(trio.TooSlowError), trio.fail_after(0.3):
        await trio.sleep(1)
    assert trio.current_time() == 0.3
    with trio.move_on_at(0.3) as past:
        await trio.sleep(1)
    assert past.cancelled_caught
    assert trio.current_time() == 0.3
    with trio.move_on_after(1e18):  # no task will ever leave it
        await trio.sleep(2)


def test_a_deadline_has_come_at_its_nanosecond() -> None:
    """Regardless of float rounding: otherwise trio would wait for ever for a deadline that never arrives."""
    for number in range(1, 2000):
        for deadline in (number / 7, number * 1e-9, number * 0.1 + 1e6, 1 / number):
            when = deadline_ns(deadline)
            assert when is not None
            assert when / 1e9 >= deadline
            assert when == 0 or (when - 1) / 1e9 < deadline or when - 1 < deadline * 1e9
    assert deadline_ns(float("inf")) is None
    assert deadline_ns(-5) == 0


def test_when_all_tasks_are_blocked() -> None:
    """Before the clock advances; with a cushion, when no task has run for so long in virtual time."""
    seen: list[tuple[str, float]] = []

    def note(what: str) -> None:
        seen.append((what, round(trio.current_time(), 6)))

    async def tick() -> None:
        for _ in range(4):
            await trio.sleep(0.3)
            note("tick")

    async def quiet(cushion: float) -> None:
        await trio.testing.wait_all_tasks_blocked(cushion)
        note(f"quiet for {cushion}")

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for cushion in (1000.0, 0.5, 0.2, 0.0):
                nursery.start_soon(quiet, cushion)
            nursery.start_soon(tick)

    run_trio(main)
    assert seen == [
        ("quiet for 0.0", 0.0),
        ("quiet for 0.2", 0.2),
        ("tick", 0.3),
        ("tick", 0.6),
        ("tick", 0.9),
        ("tick", 1.2),
        ("quiet for 0.5", 1.7),
        ("quiet for 1000.0", 1001.7),
    ]


def test_the_trio_token_is_heard_before_time_passes() -> None:
    async def main() -> float:
        heard: list[float] = []
        trio.lowlevel.current_trio_token().run_sync_soon(lambda: heard.append(trio.current_time()))
        await trio.sleep(10)
        return heard[0]

    assert run_trio(main) == 0


# --- runs ----------------------------------------------------------------------------------------------------


def test_a_token_repeats_a_run() -> None:
    run = simulate_trio(echo, None, seed=5, order="any")
    assert simulate_trio(echo, None, token=run.token) == run
    assert simulate_trio(echo, None, seed=6, order="any").digest != run.digest
    with pytest.raises(TokenError, match="another network"):
        simulate_trio(echo, None, token=run.token, network=Network(NetworkConditions()))
    with pytest.raises(TokenError, match="the program has changed"):
        simulate_trio(sharing, None, token=run.token)
    with pytest.raises(TokenError, match="begins with 'lst2-'"):
        simulate_trio(echo, None, token="lsa2-AAAA")


def test_an_error_of_the_program_has_the_token() -> None:
    async def main(argument: str) -> None:
        raise KeyError(argument)

    with pytest.raises(KeyError, match="this") as caught:
        run_trio(main, "this", seed=4)
    assert caught.value.__notes__ == [f"token: {simulate_trio(main, 'this', seed=4).token}"]


def test_no_run_within_a_run() -> None:
    async def main() -> None:
        run_trio(trio.sleep, 1)

    with pytest.raises(RuntimeError, match="from within a run of trio"):
        run_trio(main)
    with pytest.raises(RuntimeError, match="from within a run of trio"):
        trio.run(main)


SITE = Site({"http://a.test/": Moved("http://a.test/x", 302), "http://a.test/x": Html(())}, ("http://a.test/",))


def test_what_is_on_the_network_before() -> None:
    """Servers that are not tasks; names without a listener."""

    async def main() -> bytes:
        async with await trio.open_tcp_stream("a.test", 80) as stream:
            await stream.send_all(b"GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n")
            return b"".join([bytes(chunk) async for chunk in stream])

    assert (
        simulate_trio(main, prepare=partial(host_without_tasks, SITE))
        .outcome()
        .endswith(b"<title>http://a.test/x</title>\n")
    )

    async def dial() -> None:
        await trio.open_tcp_stream("b.test", 80)

    with pytest.raises(OSError, match=r"all attempts to connect to b\.test:80 failed"):
        run_trio(dial, network=Network(hosts=("b.test",)))


@pytest.mark.parametrize("order", ORDERS)
def test_libraries_on_trio(order: Order) -> None:
    """httpx and anyio, which detect that trio runs."""

    async def main() -> tuple[list[int], bool, float]:
        async with httpx.AsyncClient(follow_redirects=True) as client:
            answers = [await client.get("http://a.test/") for _ in range(3)]
        with anyio.move_on_after(5) as scope:
            async with await anyio.connect_tcp("a.test", 80) as stream:
                await stream.receive()
        return [answer.status_code for answer in answers], scope.cancelled_caught, trio.current_time()

    runs = [
        simulate_trio(main, seed=seed, order=order, prepare=partial(host_without_tasks, SITE)) for seed in (1, 1, 2)
    ]
    codes, caught, time = runs[0].outcome()
    assert (codes, caught) == ([200] * 3, True)
    assert 5 < time < 6
    assert runs[0] == runs[1]
    assert runs[0].digest != runs[2].digest


def test_silence_is_a_deadlock_unless_a_timeout_is_set() -> None:
    network = Network(NetworkConditions(scripted={"mute": Fault.SILENT}), ("mute",))

    async def dial(limit: float) -> None:
        with trio.fail_after(limit):
            await trio.open_tcp_stream("mute", 80)

    with pytest.raises(trio.TooSlowError):
        run_trio(dial, 30, network=network)
    with pytest.raises(DeadlockError, match="nothing can ever happen"):
        run_trio(dial, float("inf"), network=network)
