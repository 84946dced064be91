"""Something is handed over, somebody is cancelled, a turn passes: in every order, for each primitive that has waiters.

Theory of operation.  Most bugs of primitives live between the moment at which a waiter is given something and its next
turn.  So two or three tasks wait, and a schedule says in which order main hands over (`hand`), cancels one of them
(its name) and lets a turn pass (`turn`).  Then one more comes, and one more thing is handed over: what was lost, or is
held by nobody, or was given twice, shows in who is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ..vector import Vector, vectors


class Room(NamedTuple):
    """A primitive with waiters: what is made, what each waiter does, how main hands over; the rules that show."""

    name: str
    rules: str
    made: str
    waits: str
    hand: str
    since: str = ""


ROOMS: Final = (
    Room(
        "Queue.get",
        "QUEUE-5 QUEUE-3 QUEUE-17 QUEUE-18 QUEUE-27",
        "q = Queue()",
        "q.get()",
        "q.put_nowait({n})",
    ),
    Room("LifoQueue.get", "QUEUE-5 QUEUE-28 QUEUE-3", "q = LifoQueue()", "q.get()", "q.put_nowait({n})"),
    Room(
        "Queue.put",
        "QUEUE-21 QUEUE-3 QUEUE-17 QUEUE-18 QUEUE-27",
        "q = Queue(1)\nq.put_nowait(0)",
        "q.put({who})",
        "try: q.get_nowait()\nexcept QueueEmpty: pass",
    ),
    Room(
        "Queue.join",
        "QUEUE-6 QUEUE-16 QUEUE-17",
        "q = Queue()\nq.put_nowait(0)",
        "q.join()",
        "try: q.task_done()\nexcept ValueError: q.put_nowait({n})",
    ),
    Room(
        "Lock.acquire",
        "LOCK-5 LOCK-4 LOCK-7 LOCK-8 LOCK-10",
        "m = Lock()\nawait m.acquire()",
        "m.acquire()",
        "try: m.release()\nexcept RuntimeError: pass",
    ),
    Room(
        "Semaphore.acquire",
        "LOCK-5 LOCK-4 LOCK-6 LOCK-8 LOCK-10",
        "s = Semaphore(0)",
        "s.acquire()",
        "s.release()",
    ),
    Room(
        "BoundedSemaphore.acquire",
        "LOCK-5 LOCK-6 LOCK-8 SEM-3",
        "s = BoundedSemaphore(3)\nfor i in [1, 2, 3]: await s.acquire()",
        "s.acquire()",
        "try: s.release()\nexcept ValueError: pass",
    ),
    Room("Event.wait", "EVENT-1 EVENT-4 EVENT-8", "e = Event()", "e.wait()", "e.set()\ne.clear()"),
    Room(
        "shield",
        "SHIELD-1 SHIELD-2 CANCEL-2",
        "f = future()",
        "shield(f)",
        "try: f.set_result({n})\nexcept InvalidStateError: pass",
    ),
    Room(
        "wait_for of Queue.get",
        "WAITFOR-4 QUEUE-5 QUEUE-27",
        "q = Queue()",
        "wait_for(q.get(), None)",
        "q.put_nowait({n})",
        ", since 3.12",
    ),
)

#: Of a condition only schedules that cancel nobody whom no notify has reached (COND-2 leaves open what comes of it).
CONDITION: Final = Room(
    "Condition.wait",
    "COND-6 COND-1 COND-4",
    "x = Condition()",
    "x.wait()",
    "async with x: x.notify()",
)
CONDITION_SCHEDULES: Final = (
    "A B: hand A",
    "A B: hand hand A",
    "A B: hand hand B",
    "A B C: hand A",
    "A B C: hand A turn hand",
    "A B C: hand hand A",
    "A B C: hand hand B",
    "A B C: hand hand A B",
    "A B C: hand hand B turn A",
)

SCHEDULES: Final = (
    *(
        f"A B: {first} {gap}{then}"
        for x in "AB"
        for first, then in (("hand", x), (x, "hand"))
        for gap in ("", "turn ")
    ),
    "A B: hand A B",
    "A B: A hand B",
    "A B: A B hand",
    "A B: hand A turn B",
    "A B C: hand hand A",
    "A B C: hand A hand",
    "A B C: A hand hand",
    "A B C: hand hand B",
    "A B C: hand turn hand B",
    "A B C: hand hand A B",
)


def vector(room: Room, schedule: str) -> Vector:
    """The vector of a schedule: the waiters, then what happens in which order."""
    waiters, _, steps = schedule.partition(": ")
    text = [f"# {room.name}: {schedule}: {room.rules}{room.since}"]
    wait = "    await {}" if room is not CONDITION else "    async with x: await {}"
    for number, who in enumerate([*waiters.split(), "D"], 1):
        text += [f"async def {who.lower()}():", wait.format(room.waits.format(who=number))]
    text += [room.made, *(f"{who} = go({who.lower()})" for who in waiters.split()), "turn()"]
    steps += " turn turn turn D hand turn turn"
    text += [line for n, step in enumerate(steps.split(), 1) for line in lines(room, step, n)]
    return vectors("\n".join(text))[0]


def lines(room: Room, step: str, n: int) -> Iterator[str]:
    """The statements of the n-th step of a schedule."""
    match step:
        case "hand":
            yield room.hand.format(n=n)
        case "turn":
            yield "turn()"
        case "D":
            yield "D = go(d)"
            yield "turn()"
        case _:
            yield f"{step}.cancel()"


VECTORS = [
    *(vector(room, schedule) for room in ROOMS for schedule in SCHEDULES),
    *(vector(CONDITION, schedule) for schedule in CONDITION_SCHEDULES),
]
