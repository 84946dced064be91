"""The adapter of futures and their callbacks, and the machine that holds them to `spec.future`.

Every other future is a task that awaits a future of its own.  It is done one loop iteration after that future, so the
adapter resolves it by both.

A callback is recorded when it runs, and a call when it returns; so a call that runs a callback is rejected (FUT-2).
Callbacks of even number raise: each exception is reported once, and the other callbacks run all the same (FUT-11).
Every call passes a new bound method, so callbacks are equal but not identical.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final, cast

from spec.future import Box, Futures, future, future_fifo_model
from spec.future.specification import Call
from spec.kit.core import Event, Spec
from spec.kit.fifo import Queued
from spec.kit.trace import Do, Return, Seen
from spec.task import Fut, Is

from ..subjects import IMPL, FutureLike, Subject, one_turn
from .adapter import Make, Record
from .generator import SpecMachine, machine
from .objects import QUIET_TURNS
from .tasks import MOST, Boom, state_of

FUTURES: Final = 2
CALLBACKS: Final = 2

#: A state of the specification, with a queue beside it or without.
AnyState = Any

removable: Spec[Box, Futures] = Spec("future", Futures, extends=future)


def removed(k: Box, s: Futures, t: Futures, f: Fut, c: Call) -> tuple[int, ...]:
    """The number of callbacks that f no longer holds."""
    return (len(s.held[f]) - len(t.held[f]),)


@removable.action(answer=removed)
def remove(k: Box, s: Futures, f: Fut, c: Call) -> Iterator[Futures]:
    """FUT-10: remove_done_callback removes all callbacks that are equal, and returns their number.
    [asyncio.Future.remove_done_callback; documented]"""
    left = tuple(held for held in s.held[f] if held != c)
    yield replace(s, held=s.held | {f: left}, added=s.added | {f: s.ran[f] + s.due[f] + left})


async def waits(inner: FutureLike) -> object:
    return await inner


class Callback:
    """Callback `number` of future `f`."""

    def __init__(self, adapter: FutureAdapter, f: Fut, number: Call) -> None:
        self.adapter, self.f, self.number = adapter, f, number

    def run(self, by: FutureLike) -> None:
        self.adapter.ran(self, by)


class FutureAdapter:
    """The futures of `k` on a loop of `subject`."""

    def __init__(self, subject: Subject, k: Box, record: Record) -> None:
        self.subject, self.record = subject, record
        self.loop = subject.new_loop()
        self.loop.set_exception_handler(lambda _, context: self.reported.append(context.get("exception")))
        self.inner = {f: self.loop.create_future() for f in sorted(k.all)}
        self.bodies = {f: waits(inner) for f, inner in self.inner.items() if f % 2}
        self.futures: dict[Fut, FutureLike] = self.inner | {
            f: self.loop.create_task(body, name=f"future {f}") for f, body in self.bodies.items()
        }
        self.turn()
        self.callbacks: dict[tuple[Hashable, Hashable], Callback] = {}
        self.called: dict[Fut, tuple[object, ...]] = dict.fromkeys(self.futures, ())
        self.raised: list[object] = []
        self.reported: list[object] = []

    def knows(self, name: str) -> bool:
        return name in ("resolve", "add", "remove")

    def do(self, event: Event) -> None:
        f, argument = cast("tuple[Fut, Any]", event.args)  # Any: its type depends on the action
        future = self.futures[f]
        if event.name == "resolve":
            answers: list[Hashable] = [self.resolve(f, argument)]
            if f in self.bodies:
                self.turn()
        else:
            callback = self.callbacks.setdefault((f, argument), Callback(self, f, argument))
            if event.name == "remove":
                answers = [future.remove_done_callback(callback.run)]
            else:
                future.add_done_callback(callback.run)
                answers = []
        self.record(Do(event))
        for answer in answers:
            self.record(Return(f, answer))

    def resolve(self, f: Fut, how: Is) -> bool:
        """Whether f accepts it."""
        if how == Is.CANCELLED:
            return self.futures[f].cancel()
        try:
            if how == Is.ERROR:
                self.inner[f].set_exception(Boom())
            else:
                self.inner[f].set_result(None)
        except self.subject.invalid_state:
            return False
        return True

    def ran(self, callback: Callback, by: FutureLike) -> None:
        """The loop calls a callback with `by`."""
        f = callback.f
        self.called[f] += (callback.number if by is self.futures[f] else "with another future",)
        self.record(Seen(Event("run", (f,))))
        if callback.number % 2 == 0:
            self.raised.append(error := Boom())
            raise error

    def turn(self) -> None:
        one_turn(self.loop)

    def settle(self) -> None:
        """All callbacks that are due run in the first iteration, because none adds another one."""
        for _ in range(QUIET_TURNS):
            self.turn()

    def see(self, s: AnyState) -> bool:
        now: Futures = s.below if isinstance(s, Queued) else s
        return self.reported == self.raised and all(
            now.state[f] == state_of(future, self.subject) and now.ran[f] == self.called[f]
            for f, future in self.futures.items()
        )

    def shown(self) -> str:
        states = [f"{f}: {state_of(future, self.subject)}, ran {self.called[f]}" for f, future in self.futures.items()]
        return f"state {'; '.join(states)}; {len(self.reported)} of {len(self.raised)} exceptions reported"

    def close(self) -> None:
        for body in self.bodies.values():
            body.close()
        self.loop.close()


def future_adapter(subject: Subject) -> Make:
    """Makes adapters of the futures of `subject`."""
    return partial(FutureAdapter, subject)


@cache
def rules() -> type[SpecMachine]:
    """The machine of all futures, which share the explored part of the model."""
    return machine(future_fifo_model(FUTURES, CALLBACKS, MOST, spec=removable), future_adapter(IMPL))


def future_machine(subject: Subject) -> type[SpecMachine]:
    """The machine that holds the futures of `subject` and their callbacks to the specification."""
    return type(f"FutureMachine_{subject.name}", (rules(),), {"make": staticmethod(future_adapter(subject))})
