"""Runs of asyncio programs on the simulated loop: order, choices, tokens, and cleanup at the end."""

import asyncio
from functools import partial

import pytest

from impl import Choices
from impl.bridges.asyncio.loop import SimEventLoop
from impl.bridges.asyncio.run import Network, run, simulate
from impl.net import NetworkConditions
from impl.sim.token import TokenError


def _note(log: list[int], n: int, _: object) -> None:
    log.append(n)


def test_callbacks_keep_their_order_under_any() -> None:
    async def main() -> list[int]:
        log: list[int] = []
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        for n in range(5):
            future.add_done_callback(partial(_note, log, n))
        future.set_result(None)
        for n in range(5, 10):
            loop.call_soon(log.append, n)
        await asyncio.sleep(1)
        return log

    for seed in range(20):
        assert simulate(main, seed=seed, order="any").outcome() == list(range(10))


def test_a_task_may_overtake_a_wake_up_under_any() -> None:
    """Both the step and the wake-up of a C task are task steps: neither counts as a callback."""

    async def main() -> str:
        log: list[str] = []
        event, begun = asyncio.Event(), asyncio.get_running_loop().create_future()

        async def woken() -> None:
            begun.set_result(None)
            await event.wait()
            log.append("w")

        async def steps() -> None:
            await begun
            event.set()
            for _ in range(3):
                await asyncio.sleep(0)
            log.append("s")

        await asyncio.gather(woken(), steps())
        return "".join(log)

    assert {simulate(main, seed=seed, order="any").outcome() for seed in range(200)} == {"ws", "sw"}
    assert {simulate(main, seed=seed).outcome() for seed in range(20)} == {"ws"}


def test_a_token_is_of_one_program_and_one_network() -> None:
    async def one() -> None:
        await asyncio.gather(asyncio.sleep(0), asyncio.sleep(0))

    async def other() -> None:
        reader = asyncio.StreamReader()
        asyncio.get_running_loop().call_later(1, reader.feed_eof)
        await asyncio.gather(reader.read(), *(asyncio.sleep(1) for _ in range(5)))

    token = simulate(one, seed=3, order="any").token
    with pytest.raises(TokenError, match="program has changed"):
        run(other, token=token)
    with pytest.raises(TokenError, match="another network"):
        run(one, token=token, network=Network(NetworkConditions(latency_ms_max=3)))
    for damaged in (token[:-1], token + "A", "ls2-" + token[5:], ""):
        with pytest.raises(TokenError):
            run(one, token=damaged)


def test_run_refuses_to_nest_and_what_is_left_is_cancelled_in_order() -> None:
    log: list[str] = []

    async def left(name: str) -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            log.append(name)

    async def main() -> str:
        coro = left("never")
        with pytest.raises(RuntimeError, match="cannot be called from a running"):
            run(coro)
        for name in "abc":
            asyncio.create_task(left(name))  # noqa: RUF006  (the loop holds it)
        await asyncio.sleep(1)
        return "result"

    assert run(main()) == "result"
    assert log == ["a", "b", "c"]


def test_a_task_that_swallows_the_final_cancel_is_given_up() -> None:
    async def stubborn() -> None:
        while True:
            try:
                await asyncio.get_running_loop().create_future()
            except asyncio.CancelledError:
                pass

    async def main() -> str:
        task = asyncio.create_task(stubborn())
        await asyncio.sleep(1)
        assert not task.done()
        return "result"

    assert SimEventLoop(Choices.plain()).run_until_complete(asyncio.sleep(0, "idle")) == "idle"
    assert run(main, seed=1) == "result"
