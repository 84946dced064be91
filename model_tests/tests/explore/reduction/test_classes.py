"""explore(every=True): the verdict, the failure with its token, and the choices that are not varied."""

import asyncio
import random

import pytest

from impl.explore import always, explore, sometimes
from impl.explore.reduction.kinds import _OF_THE_LOOP

from ....dev.pythons import ROOT
from ....examples import races

FAILING = ("lost_update", "two_locks", "swallowed_cancel", "item_lost", "seen_set")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FAILING)
def test_a_failure_has_a_token_that_repeats_it(name: str) -> None:
    main = getattr(races, name)
    found = explore(main, every=True)
    assert found.verdict == "failed"
    assert found.failure is not None
    again = explore(main, token=found.failure.token)
    assert again.failure is not None
    assert again.failure.outcome == found.failure.outcome


@pytest.mark.parametrize("name", ["lost_update", "two_locks", "swallowed_cancel", "right_lock"])
def test_it_has_the_outcomes_of_every_schedule(name: str) -> None:
    main = getattr(races, name)
    every = explore(main, every=True, reduce=False, keep_going=True)
    found = explore(main, every=True, keep_going=True)
    assert set(found.outcomes) == set(every.outcomes)
    assert found.exhausted
    assert found.runs * 2 < every.runs or every.runs < 30


def test_the_verdict_names_runs_classes_and_assumptions() -> None:
    found = explore(races.right_lock, every=True)
    assert (found.verdict, found.runs, found.bound) == (
        "exhausted", 4, "4 classes of equivalent schedules were run",
    )  # fmt: skip
    assert "any ready task may run next" in found.report()
    assert "races.py was rewritten in memory" in found.report()
    cut = explore(races.seen_set, every=True, runs=3)
    assert (cut.verdict, cut.bound) == ("not exhausted", "the search ended after 3 runs")


async def over_the_network() -> str:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello")
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 8080):
        reader, writer = await asyncio.open_connection("127.0.0.1", 8080)
        got = await reader.read()
        writer.close()
        return got.decode()


async def timers_of_one_instant() -> list[int]:
    seen: list[int] = []
    loop = asyncio.get_running_loop()
    loop.call_later(1, seen.append, 1)
    loop.call_later(1, seen.append, 2)
    await asyncio.sleep(2)
    return seen


@pytest.mark.parametrize(
    ("main", "left_out"),
    [(over_the_network, "the choices of the network"), (timers_of_one_instant, "the order of timers")],
)
def test_what_the_search_does_not_vary_is_said(main: object, left_out: str) -> None:
    found = explore(main, every=True, runs=20)  # type: ignore[arg-type]
    assert found.verdict == "not exhausted"
    assert left_out in found.bound or "20 runs" in found.bound


def test_with_something_injected_every_schedule_is_run() -> None:
    found = explore(races.right_lock, every=True, late=0.001)
    assert "classes" not in found.bound


def test_probes_judge_the_runs() -> None:
    async def main() -> None:
        order: list[int] = []

        async def note(number: int) -> None:
            await asyncio.sleep(0)
            order.append(number)
            sometimes(order == [2, 1], "the second goes first")
            sometimes(order == [3], "there is a third")

        await asyncio.gather(note(1), note(2))
        try:
            always(order == [1, 2], "in order")
        except AssertionError:
            pass

    found = explore(main, every=True, keep_going=True)
    assert found.failures > 0
    assert found.never == ["there is a third"]


def test_a_probe_is_understood() -> None:
    """It is a part of the loop: tasks that share nothing else have one class for each order of their ends."""

    async def main() -> None:
        async def count(name: str) -> None:
            box = [0]
            for _ in range(2):
                await asyncio.sleep(0)
                box[0] += 1
                sometimes(box[0] == 2, f"{name} ends")
                always(box[0] < 3, name)

        await asyncio.gather(count("a"), count("b"))

    found = explore(main, every=True)
    assert (found.runs, found.never) == (2, [])
    assert "not understood" not in found.report()


def test_the_modules_of_the_loop_are_there() -> None:
    """A module that moves leaves its name behind; then nothing that it does is understood."""
    impl = ROOT / "impl"
    modules = [".".join(path.relative_to(impl).with_suffix("").parts) for path in impl.rglob("*.py")]
    assert [each for each in _OF_THE_LOOP if not any(name.startswith(each) for name in modules)] == []


def test_each_run_has_the_module_random_of_a_new_run() -> None:
    async def main() -> float:
        await asyncio.gather(asyncio.sleep(0), asyncio.sleep(0))
        return random.random()

    classes = explore(main, every=True)
    assert classes.runs > 1
    assert list(classes.outcomes) == list(explore(main, every=True, reduce=False).outcomes)
