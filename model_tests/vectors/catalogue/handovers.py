"""A selection of the small-scope enumeration (`programs/enumeration.py`) as vectors.

Two or three tasks wait; main hands over, cancels one of them and lets a loop iteration pass, in some of the orders.
Then one more task waits and main hands over once more: a resource that is lost, or given twice, shows in the tasks
that are left.
"""

from __future__ import annotations

from typing import Final

from ...conformance.cases.written import scenario
from ...programs.enumeration import WAITERS, Rules, Scenario, Waiter, program
from ..vector import Vector

NEWCOMER: Final = "d"
#: A move, as the name of a vector has it.
MOVES: Final = {"h": "hand", "t": "turn"} | {
    str(number): task.upper() for number, task in enumerate(WAITERS, 1)
}
#: The moves that follow those of the selection.
AFTERWARDS: Final = "tttnhtt"


def handed(name: str, rules: str, *texts: str, since: tuple[int, int] = (3, 6)) -> Scenario:
    """Return the scenario of source texts, with one way to hand over."""
    value, *also = rules.split()
    return scenario(name, Rules(value, also=tuple(also)), *texts, begun=True, since=since)


SCENARIOS: Final = (
    handed(
        "Queue.get",
        "QUEUE-5 QUEUE-3 QUEUE-17 QUEUE-18 QUEUE-27",
        "q = Queue()",
        "await q.get()",
        "q.put_nowait('#')",
    ),
    handed(
        "LifoQueue.get",
        "QUEUE-5 QUEUE-28 QUEUE-3",
        "q = LifoQueue()",
        "await q.get()",
        "q.put_nowait('#')",
    ),
    handed(
        "Queue.put",
        "QUEUE-21 QUEUE-3 QUEUE-17 QUEUE-18 QUEUE-27",
        "q = Queue(1)\nq.put_nowait(0)",
        "await q.put('#')",
        "try: q.get_nowait()\nexcept QueueEmpty: pass",
    ),
    handed(
        "Queue.join",
        "QUEUE-6 QUEUE-16 QUEUE-17",
        "q = Queue()\nq.put_nowait(0)",
        "await q.join()",
        "try: q.task_done()\nexcept ValueError: q.put_nowait('#')",
    ),
    handed(
        "Lock.acquire",
        "LOCK-5 LOCK-4 LOCK-7 LOCK-8 LOCK-10",
        "m = Lock()\nawait m.acquire()",
        "await m.acquire()",
        "try: m.release()\nexcept RuntimeError: pass",
    ),
    handed(
        "Semaphore.acquire",
        "LOCK-5 LOCK-4 LOCK-6 LOCK-8 LOCK-10",
        "s = Semaphore(0)",
        "await s.acquire()",
        "s.release()",
    ),
    handed(
        "BoundedSemaphore.acquire",
        "LOCK-5 LOCK-6 LOCK-8 SEM-3",
        "s = BoundedSemaphore(3)\nfor i in [1, 2, 3]: await s.acquire()",
        "await s.acquire()",
        "try: s.release()\nexcept ValueError: pass",
    ),
    handed("Event.wait", "EVENT-1 EVENT-4 EVENT-8", "e = Event()", "await e.wait()", "e.set()\ne.clear()"),
    handed(
        "shield",
        "SHIELD-1 SHIELD-2 CANCEL-2",
        "f = future()",
        "await shield(f)",
        "try: f.set_result('#')\nexcept InvalidStateError: pass",
    ),
    handed(
        "wait_for of Queue.get",
        "WAITFOR-4 QUEUE-5 QUEUE-27",
        "q = Queue()",
        "await wait_for(q.get(), None)",
        "q.put_nowait('#')",
        since=(3, 12),
    ),
)
#: The number of waiters, and the interleaving.
SELECTED: Final = (
    *("2 h1", "2 ht1", "2 1h", "2 1th", "2 h2", "2 ht2"),
    *("2 2h", "2 2th", "2 h12", "2 1h2", "2 12h", "2 h1t2"),
    *("3 hh1", "3 h1h", "3 1hh", "3 hh2", "3 hth2", "3 hh12"),
)

CONDITION: Final = handed(
    "Condition.wait",
    "COND-6 COND-1 COND-4",
    "x = Condition()",
    "async with x: await x.wait()",
    "async with x: x.notify()",
)
#: Main cancels only waiters that a notify has reached: COND-2 leaves open what follows from another cancel.
SELECTED_OF_CONDITION: Final = (
    *("2 h1", "2 hh1", "2 hh2"),
    *("3 h1", "3 h1th", "3 hh1", "3 hh2", "3 hh12", "3 hh2t1"),
)


def waiter(letter: str, place: int) -> Waiter:
    """Name a waiter as the catalogue does."""
    body = letter if letter in WAITERS else NEWCOMER
    return Waiter(body.upper(), body, place + 1)


def vector(of: Scenario, selected: str) -> Vector:
    """Return the vector of a scenario and an interleaving."""
    number, moves = selected.split()
    waiters = int(number)
    name = f"{of.name}: {' '.join(WAITERS[:waiters].upper())}: {' '.join(MOVES[m] for m in moves)}"
    made = program(of, waiters, moves + AFTERWARDS, waiter, "loop.create_task")
    return Vector(name, tuple(of.rules.all()), {**made, "callbacks": {}}, of.since)


VECTORS = [
    *(vector(each, selected) for each in SCENARIOS for selected in SELECTED),
    *(vector(CONDITION, selected) for selected in SELECTED_OF_CONDITION),
]
