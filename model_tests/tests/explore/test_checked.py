"""Checks of a run besides its error: probes, and leaks of the program."""

import asyncio
import gc
from collections.abc import AsyncIterator
from typing import Any

import pytest

from impl.explore import Leaked, ProbeFailed, always, eventually, explore, sometimes
from impl.explore.command import main as command
from impl.explore.programs.program import RuntimeName

from ..fixtures import Captured
from .programs import NAMES, RUNTIMES, Main, never_third, outcome


def leaves(runtime: RuntimeName, what: str) -> Main:
    names = NAMES[runtime]
    kept: list[Any] = []

    async def fails() -> None:
        raise KeyError("lost")

    async def numbers() -> AsyncIterator[int]:
        yield 1
        yield 2

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async def main() -> None:
        kept.clear()
        match what:
            case "tasks":
                kept.append(names.create_task(names.sleep(9), name="sleeper"))
            case "cancelled":
                kept.append(names.create_task(names.sleep(9)))
                await names.sleep(1)
                kept[0].cancel()
            case "asyncgens":
                kept.append(numbers())
                await anext(kept[0])
            case "unretrieved":
                task = names.create_task(fails())
                await names.wait([task])
                del task
            case "messages":
                names.get_running_loop().call_soon(int, "x")
                await names.sleep(1)
            case "servers":
                kept.append(await asyncio.start_server(echo, "localhost", 80))
            case "transports":
                async with await asyncio.start_server(echo, "localhost", 80):
                    kept.extend(await asyncio.open_connection("localhost", 80))
                    await asyncio.sleep(1)
            case "closed":
                async with await asyncio.start_server(echo, "localhost", 80):
                    _, writer = await asyncio.open_connection("localhost", 80)
                    await asyncio.sleep(1)
                    writer.close()

    return main


LEFT = {
    "tasks": "task sleeper",
    "asyncgens": "asynchronous generator leaves.<locals>.numbers",
    "unretrieved": "never retrieved: KeyError('lost')",
    "messages": "message to the exception handler Exception in callback",
    "servers": "server at 127.0.0.1:80",
    "transports": "transport at 127.0.0.1:",
}


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("what", LEFT)
@pytest.mark.filterwarnings("ignore")
def test_each_leak_can_be_made_an_error(what: str, runtime: RuntimeName) -> None:
    if runtime == "impl" and what in ("servers", "transports"):
        pytest.skip("programs of impl have no transports")
    program = leaves(runtime, what)
    others = [name for name in LEFT if name != what]
    assert explore(program, runtime=runtime, runs=3, errors=others).failures == 0
    found = explore(program, runtime=runtime, runs=3, errors=what)
    assert found.failure is not None
    assert isinstance(found.failure.error, Leaked)
    assert LEFT[what] in outcome(found)
    again = explore(program, runtime=runtime, errors=what, token=found.failure.token)
    assert outcome(again) == outcome(found)
    del program, found, again
    gc.collect()  # leaks warn here, not in another test


@pytest.mark.parametrize("what", ["cancelled", "closed"])
def test_what_is_on_its_way_is_no_leak(what: str) -> None:
    assert outcome(explore(leaves("asyncio", what), runs=5, errors="all")) == ""


def test_a_task_that_a_cancel_of_main_leaves_behind_is_found() -> None:
    async def main() -> None:
        task = asyncio.create_task(asyncio.sleep(5), name="child")
        await asyncio.sleep(1)
        task.cancel()

    assert outcome(explore(main, errors="tasks", runs=20)) == ""
    assert outcome(explore(main, errors="tasks", cancel="main")).endswith("left behind: task child")


def test_an_unknown_leak_is_named() -> None:
    with pytest.raises(ValueError, match="no such leak: water; they are tasks"):
        explore(leaves("asyncio", "tasks"), errors="water")


def transfer(swallows: bool) -> Main:
    async def main() -> None:
        accounts = [10, 0]

        async def move() -> None:
            accounts[0] -= 5
            await asyncio.sleep(0)
            accounts[1] += 5

        async def audit() -> None:
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            try:
                always(sum(accounts) == 10, "no money is lost")
            except ProbeFailed:
                if not swallows:
                    raise

        await asyncio.gather(move(), audit())

    return main


@pytest.mark.parametrize("swallows", [False, True])
def test_always_fails_the_run_even_if_it_is_swallowed(swallows: bool) -> None:
    found = explore(transfer(swallows))
    assert outcome(found) == "ProbeFailed: always: no money is lost"
    assert found.failure is not None
    token = found.failure.token
    assert outcome(explore(transfer(swallows), token=token)) == outcome(found)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_eventually_is_checked_when_the_program_has_ended(runtime: RuntimeName) -> None:
    names = NAMES[runtime]

    async def main() -> None:
        done: list[int] = []
        eventually(lambda: len(done) == 2, "both are done")

        async def work(turns: int) -> None:
            for _ in range(turns):
                await names.sleep(0)
            done.append(turns)

        tasks = [names.create_task(work(turns)) for turns in (0, 2)]
        await names.sleep(0)
        await tasks[1]

    found = explore(main, runtime=runtime)
    assert outcome(found) == "ProbeFailed: eventually: both are done"


def test_sometimes_must_hold_in_some_run() -> None:
    found = explore(never_third, every=True, reduce=False)
    assert found.never == ["there is a third"]
    assert found.verdict == "failed"
    order = "any ready task may run next, callbacks keep their order"
    assert found.report().endswith(f"every schedule was run; {order}; never: there is a third")
    assert explore(never_third, order="fifo", runs=1).never == ["the second is first", "there is a third"]


def test_outside_of_an_exploration_probes_are_assertions_or_nothing() -> None:
    with pytest.raises(ProbeFailed, match="always: x"):
        always(False, "x")
    eventually(lambda: False, "x")
    sometimes(False, "x")


def test_the_command_has_the_option(tmp_path: Any, capsys: Captured) -> None:
    program = "import asyncio\nasync def main():\n  global t\n  t = asyncio.create_task(asyncio.sleep(9))\n"
    (tmp_path / "left.py").write_text(program, encoding="utf-8")
    assert command([f"{tmp_path}/left.py:main", "--runs", "2"]) == 0
    assert command([f"{tmp_path}/left.py:main", "--errors", "tasks"]) == 1
    assert "Leaked: the program has left behind: task Task-2" in capsys.readouterr().out
    assert command([f"{tmp_path}/left.py:main", "--errors", "water"]) == 2
