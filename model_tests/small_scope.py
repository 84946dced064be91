"""Small scope: every order of "hand over", "cancel a waiter", "one more comes" and "one turn", up to a length.

Theory of operation.  Most bugs that primitives ever had are one: something is handed to a waiter, who is cancelled
before it runs.  No random program comes there often, but few steps lead there, so all of them are tried.  A *scene*
is a primitive with some waiters, a way to hand over to them, and what must hold when nothing moves any more; the
steps are taken between turns of the loop, so that a cancel falls between a wake-up and the run.  Shorter orders come
first: the first complaint has a shortest scenario.  A scene knows no runtime but a namespace with asyncio's names.

The conformance kit tries such orders too (`conforming/enumeration.py`), as programs, and compares what is seen with
the reference.  Here nothing is compared, for the reference itself is judged: by the account that the scene keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any, Final

from .refinement.subjects import LoopLike, TaskLike, one_turn

# Any in this file: the names of a runtime (`impl`, `asyncio`, one with a wrong class) and what their objects return.

#: So many turns let all go on that can: in a scene each waiter needs a handful.
QUIET_TURNS: Final = 16
HAND_OVER: Final = "hand over"
TURN: Final = "turn"
COMES: Final = "one more comes"


class Scene:
    """One primitive with its waiters, which the driver starts, cancels and counts by number, oldest first."""

    def __init__(self, names: Any, waiters: int) -> None:
        """Make the primitive, so that all the waiters will have to wait."""
        self.names = names
        self.waiters = waiters
        self.live: list[int] = []  # who waits and was not cancelled
        self.served: list[int] = []  # who had what it waited for, in order
        self.wrong: list[str] = []  # what was seen meanwhile that must never be
        self.come: Callable[[], None] = _nobody  # have one more waiter come; the driver says how

    async def wait(self, number: int) -> None:
        """What a waiter does: wait once, note whether it was served, end."""
        self.live.append(number)
        served = await self.one_wait(number)
        self.cancelled(number)
        if served:
            self.served.append(number)

    def cancelled(self, number: int) -> None:
        """That one waits no more: the driver has cancelled it, or it has ended."""
        if number in self.live:
            self.live.remove(number)

    async def one_wait(self, number: int) -> bool:
        """Wait once; whether it was served, not refused."""
        raise NotImplementedError

    def hand_over(self) -> None:
        """Let one waiter go on, or all, as the primitive's meaning is; the loop stands still."""
        raise NotImplementedError

    def settle(self) -> None:
        """All steps are taken: give back what a hand-over still holds."""

    def complaints(self, waiting: list[int]) -> Iterator[str]:
        """What does not hold, now that nothing moves any more and those are left waiting; by rule."""
        raise NotImplementedError


def _nobody() -> None:
    raise AssertionError("nobody drives this scene")


def at_once(coro: Coroutine[Any, Any, Any]) -> bool:
    """Make a call while no loop runs; whether it was done without waiting, else it has done nothing."""
    try:
        coro.send(None)
    except StopIteration:
        return True
    except (RuntimeError, AttributeError):  # no loop to wait on; asyncio asks None
        return False
    coro.close()
    return False


def orders(waiters: int, length: int) -> Iterator[tuple[str, ...]]:
    """Every order of so many steps: each waiter is cancelled at most once, one more comes at most once."""

    def grow(done: tuple[str, ...], left: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if len(done) == length:
            if done[-1:] != (TURN,):  # turns follow anyway
                yield done
            return
        for step in (HAND_OVER, TURN):
            yield from grow((*done, step), left)
        for step in left:
            rest = tuple(other for other in left if other != step)
            yield from grow((*done, step), (*rest, f"cancel W{waiters}") if step == COMES else rest)

    yield from grow((), (*(f"cancel W{number}" for number in range(waiters)), COMES))


def play(scene: Scene, loop: LoopLike, steps: tuple[str, ...]) -> list[str]:
    """Take these steps; the rules that do not hold in the end."""
    tasks: list[TaskLike] = []
    asked: set[int] = set()

    def come() -> None:
        number = len(tasks)
        tasks.append(loop.create_task(scene.wait(number), name=f"W{number}"))

    scene.come = come
    for _ in range(scene.waiters):
        come()
    one_turn(loop)
    for step in steps:
        if step == HAND_OVER:
            scene.hand_over()
        elif step == TURN:
            one_turn(loop)
        elif step == COMES:
            come()
        else:
            number = int(step[-1])
            scene.cancelled(number)
            if tasks[number].cancel():
                asked.add(number)
    scene.settle()
    for _ in range(QUIET_TURNS):
        one_turn(loop)
    wrong = [*scene.wrong, *_outcomes(tasks, asked)]
    wrong += scene.complaints([number for number, task in enumerate(tasks) if not task.done()])
    _end(loop, tasks)
    return wrong


def _outcomes(tasks: list[TaskLike], asked: set[int]) -> Iterator[str]:
    for number, task in enumerate(tasks):
        if not task.done():
            continue
        if task.cancelled() != (number in asked):
            yield f"CANCEL-2: W{number} was {'' if number in asked else 'not '}cancelled"
        elif not task.cancelled() and task.exception() is not None:
            yield f"W{number}: {task.exception()!r}"


def _end(loop: LoopLike, tasks: list[TaskLike]) -> None:
    """Leave nothing behind."""
    for task in tasks:
        task.cancel()
    for _ in range(QUIET_TURNS):
        if all(task.done() for task in tasks):
            break
        one_turn(loop)
    loop.close()


@dataclass(frozen=True)
class Finding:
    """A scenario after which a rule does not hold."""

    waiters: int
    steps: tuple[str, ...]
    wrong: list[str]

    def __str__(self) -> str:
        return f"{self.waiters} waiters; {', '.join(self.steps)}: {'; '.join(self.wrong)}"


def runs(waiters: int, length_max: int) -> Iterator[tuple[str, ...]]:
    """Every order of at most so many steps, shorter ones first."""
    for length in range(1, length_max + 1):
        yield from orders(waiters, length)


def find(
    scene: Callable[[Any, int], Scene],
    names: Any,
    new_loop: Callable[[], LoopLike],
    waiters: int,
    length_max: int,
) -> Finding | None:
    """The first, hence a shortest, scenario that goes wrong; None if all is well."""
    for steps in runs(waiters, length_max):
        wrong = play(scene(names, waiters), new_loop(), steps)
        if wrong:
            return Finding(waiters, steps, wrong)
    return None
