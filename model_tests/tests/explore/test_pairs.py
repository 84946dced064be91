"""Pairs of steps, the run that passes beside a failure, and the names in a livelock: none that did not happen."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from impl.explore import explore
from impl.explore.report.text import text_of

from .test_happened import Program, report

# Any in this file: arguments of `explore`, and a callback.


@dataclass
class Item:
    state: str = "open"
    count: int = 0


@dataclass
class Order:
    item: Item
    state: str = "open"


def is_open(how: str, order: Order) -> bool:
    """Each way looks at one attribute."""
    match order:
        case Order(state="open") if how == "keyword":
            return True
        case Order(Item("open")) if how == "nested":
            return True
        case Order(item=Item(count=1)) | Order(item=Item(state="open")) if how == "or":
            return True
        case Order() as whole if how == "guard" and whole.state == "open":
            return True
    return False


@pytest.mark.short("nested-item.state", "guard-order.state", why="each is searched")
@pytest.mark.parametrize(
    ("how", "thing"),
    [("keyword", "order.state"), ("nested", "item.state"), ("or", "item.state"), ("guard", "order.state")],
)
def test_a_pattern_reads_attributes(how: str, thing: str) -> None:
    async def main() -> None:
        item, out = Item(), list[bool]()
        order = Order(item)

        async def ship() -> None:
            await asyncio.sleep(0)
            out.append(is_open(how, order))

        async def cancel() -> None:
            for _ in range(4):
                await asyncio.sleep(0)
            order.state = item.state = "cancelled"

        await asyncio.gather(ship(), cancel())
        assert out[0]

    pairs = report(main).turned or []
    found = [(pair.thing, pair.first.task, pair.second.task, pair.reached) for pair in pairs]
    assert (thing, "cancel", "ship", True) in found


def test_a_look_at_an_object_runs_no_code_of_the_program() -> None:
    async def main() -> None:
        class Shy:
            def __getattribute__(self, name: str) -> Any:
                return object.__getattribute__(self, {"state": "state"}[name])

        class Sold(Exception):
            """Each run defines the class once more."""

        shy: Any = Shy()

        async def put(number: int) -> None:
            await asyncio.sleep(0)
            shy.state = number

        await asyncio.gather(put(1), put(2))
        if shy.state != 2:
            raise Sold

    assert {pair.thing for pair in report(main).turned or ()} == {"shy.state"}


class Door:
    def __init__(self) -> None:
        self.seen, self.lock, self.items = 0, asyncio.Lock(), list[int]()
        self.queue: asyncio.Queue[int] = asyncio.Queue()

    async def enter(self) -> None:
        async with self.lock:
            seen = self.seen
            self.items.append(1)
            self.queue.put_nowait(1)
            await asyncio.sleep(0)
            self.seen = seen + await self.queue.get()


def test_objects_of_one_name_are_no_pair() -> None:
    async def main() -> None:
        doors, log = [Door(), Door()], list[int]()

        async def visit(number: int) -> None:
            await doors[number].enter()
            log.append(number)

        await asyncio.gather(visit(0), visit(1))
        assert log == [0, 1]

    simple = report(main)
    assert {pair.thing for pair in simple.turned or ()} == {"log"}
    assert {touch.thing for row in simple.rows for touch in row.touches} == {"log"}


@pytest.mark.parametrize("again", [False, True])
def test_a_step_that_did_not_happen_is_said_to_be_none(again: bool) -> None:
    async def main() -> None:
        stock = {"tea": again}

        async def load() -> None:
            for _ in range(1 + again):
                await asyncio.sleep(0)
                stock["tea"] = not again or stock["tea"] + 1 > 2

        loading = asyncio.create_task(load())
        for _ in range(3):
            await asyncio.sleep(0)
        assert stock["tea"] != again
        await loading

    assert "stock['tea']: main reads it" in (text := text_of(report(main)))
    assert "and the run ends before load writes it" in text


def passes_if(what: str) -> Program:
    """Fails in the plain order, and passes where a timer is late, a timeout expires early, or a task is cancelled."""

    async def main() -> None:
        log: list[int] = []

        async def note(number: int) -> None:
            await asyncio.sleep(number / 1000)
            log.append(number)

        if what == "late":
            await asyncio.gather(note(1), note(2))
            assert log == [2, 1]
            return
        try:
            async with asyncio.timeout(1):
                await asyncio.wait([asyncio.create_task(note(1), name="note")])
        except TimeoutError:
            return
        assert not log

    return main


@pytest.mark.short("timeouts-freedom1-there is no other order", why="each is searched")
@pytest.mark.parametrize(("what", "freedom", "tried"), [
    ("late", {"late": 0.05}, "none of 100 runs passes in which the order of tasks varied"),
    ("timeouts", {"timeouts": True}, "there is no other order"),
    ("cancel", {"cancel": "note"}, "there is no other order"),
])  # fmt: skip
def test_a_passing_run_has_all_that_may_vary(what: str, freedom: dict[str, Any], tried: str) -> None:
    simple = report(passes_if(what), **freedom)
    assert (simple.plain_passes, simple.tried, bool(simple.passing)) == (False, "", True)
    assert "no passing run" not in text_of(simple)
    assert explore(passes_if(what), token=simple.passing_token, **freedom).failures == 0
    simple = report(passes_if(what))
    assert (simple.passing, simple.tried) == (None, f"{tried}, while no timer is late")
    assert f"no passing run shows which order matters: {tried}" in text_of(simple)


@pytest.mark.short("partial-rounds0", why="10,000 iterations each")
@pytest.mark.parametrize(("how", "rounds"), [("partial", ["the callback tick"]), ("task", ["spin"])])
def test_a_livelock_names_what_runs_on(how: str, rounds: list[str]) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()

        def tick(again: Any) -> None:
            loop.call_soon(again, again)

        async def spin() -> None:
            while how == "task":
                await asyncio.sleep(0)

        if how == "partial":
            tick(partial(tick))
        await asyncio.gather(spin(), asyncio.Event().wait())

    simple = report(main)
    assert [each.partition(" at ")[0] for each in simple.rounds] == rounds
    text = text_of(simple)
    assert simple.error in explore(main).outcomes
    assert f"  runs on and on: {simple.rounds[0]}" in text
    assert "waits at is ready" not in text
    assert how != "task" or f"  spin is ready{simple.rounds[0].removeprefix('spin')}\n" in text


class Client:
    def __init__(self) -> None:
        self._session: list[str] | None = None

    async def session(self) -> list[str]:
        if self._session is None:
            await asyncio.sleep(0)
            self._session = []
        return self._session


def test_an_attribute_and_a_method_of_nearly_one_name_are_two_things() -> None:
    async def main() -> None:
        client = Client()

        async def get(pauses: int) -> list[str]:
            for _ in range(pauses):
                await asyncio.sleep(0)
            return await client.session()

        first, second = await asyncio.gather(get(0), get(3))
        assert first is second

    [pair] = report(main).turned or []
    assert (pair.thing, pair.first.how, pair.second.how) == ("client._session", "reads", "writes")
    code = Client.session.__code__.co_firstlineno
    assert (pair.first.line, pair.second.line) == (code + 1, code + 3)


def test_two_writes_say_more_than_the_turns_of_the_lock_round_them() -> None:
    async def main() -> None:
        items, changed = list[str](), asyncio.Condition()

        async def put(item: str) -> None:
            async with changed:
                items.append(item)
                changed.notify()

        async def get(pauses: int) -> str:
            for _ in range(pauses):
                await asyncio.sleep(0)
            async with changed:
                if not items:
                    await changed.wait()
                return items.pop(0)

        async def both() -> None:
            for item in "ab":
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                await put(item)

        await asyncio.gather(get(0), both(), get(8))

    first, *_ = report(main).turned or []
    assert (first.thing, first.first.how, first.second.how) == ("items", "writes", "writes")
