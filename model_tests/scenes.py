"""Scenes: each primitive with its waiters, how one hands over to them, and what must hold when nothing moves.

Theory of operation.  The frame is `small_scope.py`.  A scene keeps its own account of what is free, owed or put,
from its own calls alone, and compares it with who was served and who is left: it looks into no primitive.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from .small_scope import Scene, at_once

# Any in this file: as in small_scope.py.


class Held(Scene):
    """Lock and semaphores: all permits are held at first; to hand over is to release one."""

    kind: ClassVar[str] = "Lock"
    permits: ClassVar[int] = 1

    def __init__(self, names: Any, waiters: int) -> None:
        super().__init__(names, waiters)
        kind = getattr(names, self.kind)
        self.gate = kind() if self.kind == "Lock" else kind(self.permits)
        for _ in range(self.permits):
            assert at_once(self.gate.acquire())
        self.held = self.permits

    async def one_wait(self, number: int) -> bool:
        if await self.gate.acquire() is not True:
            self.wrong.append("LOCK-1: acquire returns something else than True")
        self.held += 1
        if self.held > self.permits:
            self.wrong.append(f"LOCK-7: {self.held} hold {self.permits} permits")
        return True

    def hand_over(self) -> None:
        if self.held:
            self.held -= 1
            self.gate.release()

    def complaints(self, waiting: list[int]) -> Iterator[str]:
        free = self.permits - self.held
        if waiting and free:
            yield f"LOCK-8: W{waiting[0]} waits beside {free} free permits"
        if self.served != sorted(self.served):
            yield f"LOCK-10, SEM-2: served in the order {self.served}"
        if not waiting:
            takes = 0
            while takes <= self.permits and at_once(self.gate.acquire()):
                takes += 1
            if takes != free:
                yield f"LOCK-6: {takes} permits are free, not {free}"


class OneOfSemaphore(Held):
    kind = "Semaphore"


class TwoOfSemaphore(Held):
    kind, permits = "Semaphore", 2


class TwoOfBounded(Held):
    kind, permits = "BoundedSemaphore", 2


class Notified(Scene):
    """Condition: to hand over is to notify one; what is owed is known from who waited when."""

    def __init__(self, names: Any, waiters: int) -> None:
        super().__init__(names, waiters)
        self.condition = names.Condition()
        self.owed = 0
        self.inside = 0

    async def wait(self, number: int) -> None:
        async with self.condition:
            self.live.append(number)
            try:
                await self.condition.wait()
                self.owed = max(0, self.owed - 1)
                self.served.append(number)
            finally:
                self.cancelled(number)
                self.inside += 1
                if self.inside > 1 or not self.condition.locked():
                    self.wrong.append(f"COND-4: W{number} goes on without the lock")
                try:
                    await self.names.sleep(0)  # a task that holds the lock may wait, and be cancelled
                finally:
                    self.inside -= 1

    def cancelled(self, number: int) -> None:
        super().cancelled(number)
        self.owed = min(self.owed, len(self.live))

    def notify(self) -> None:
        self.condition.notify()
        self.owed = min(self.owed + 1, len(self.live))

    def hand_over(self) -> None:
        if at_once(self.condition.acquire()):
            self.notify()
            self.condition.release()

    def complaints(self, waiting: list[int]) -> Iterator[str]:
        if self.owed:
            yield f"COND-1, COND-6: {self.owed} notifications are lost on {waiting}"
        if self.served != sorted(self.served):
            yield f"COND-1: served in the order {self.served}"
        if self.condition.locked():
            yield "LOCK-6: the lock is held for ever"


class NotifiedSlowly(Notified):
    """Who notifies keeps the lock until the next hand-over: the woken wait for it, and may be cancelled there."""

    holds = False

    def hand_over(self) -> None:
        if self.holds:
            self.settle()
        elif at_once(self.condition.acquire()):
            self.holds = True
            self.notify()

    def settle(self) -> None:
        if self.holds:
            self.holds = False
            self.condition.release()


class Let(Scene):
    """What lets all through who wait at that moment, and nobody else."""

    rules: ClassVar[str]

    def __init__(self, names: Any, waiters: int) -> None:
        super().__init__(names, waiters)
        self.due: set[int] = set()
        self.make()

    def make(self) -> None:
        raise NotImplementedError

    def let_through(self) -> None:
        raise NotImplementedError

    def hand_over(self) -> None:
        self.due.update(self.live)
        self.let_through()

    def complaints(self, waiting: list[int]) -> Iterator[str]:
        for number in waiting:
            if number in self.due:
                yield f"{self.rules}: W{number} was not let through"
        for number in self.served:
            if number not in self.due:
                yield f"{self.rules}: W{number} was let through"


class Pulse(Let):
    """Event: to hand over is to set and to clear."""

    rules = "EVENT-1, EVENT-4"

    def make(self) -> None:
        self.event = self.names.Event()

    async def one_wait(self, number: int) -> bool:
        if await self.event.wait() is not True:
            self.wrong.append("EVENT-4: wait returns something else than True")
        return True

    def let_through(self) -> None:
        self.event.set()
        self.event.clear()


class Joined(Let):
    """Queue.join: to hand over is to report the last item, and to put another."""

    rules = "QUEUE-6, QUEUE-7"

    def make(self) -> None:
        self.queue = self.names.Queue()
        self.queue.put_nowait(0)

    async def one_wait(self, number: int) -> bool:
        await self.queue.join()
        return True

    def let_through(self) -> None:
        self.queue.task_done()
        self.queue.put_nowait(0)


class Getters(Scene):
    """Queue.get: to hand over is to put an item."""

    def __init__(self, names: Any, waiters: int) -> None:
        super().__init__(names, waiters)
        self.queue = names.Queue()
        self.put = 0
        self.got: list[int] = []

    async def one_wait(self, number: int) -> bool:
        self.got.append(await self.queue.get())
        return True

    def hand_over(self) -> None:
        self.queue.put_nowait(self.put)
        self.put += 1

    def complaints(self, waiting: list[int]) -> Iterator[str]:
        if waiting and not self.queue.empty():
            yield f"QUEUE-5: W{waiting[0]} waits beside {self.queue.qsize()} items"
        if self.waiters not in self.served and self.served != sorted(self.served):  # who comes may be faster
            yield f"QUEUE-3: served in the order {self.served}"
        while not self.queue.empty():
            self.got.append(self.queue.get_nowait())
        if self.got != list(range(self.put)):
            yield f"QUEUE-1: {self.got} came out of {self.put} items"


class Putters(Scene):
    """Queue.put into a full queue: to hand over is to take an item."""

    def __init__(self, names: Any, waiters: int) -> None:
        super().__init__(names, waiters)
        self.queue = names.Queue(1)
        self.queue.put_nowait(-1)
        self.got: list[int] = []

    async def one_wait(self, number: int) -> bool:
        await self.queue.put(number)
        return True

    def hand_over(self) -> None:
        if not self.queue.empty():
            self.got.append(self.queue.get_nowait())

    def complaints(self, waiting: list[int]) -> Iterator[str]:
        if waiting and not self.queue.full():
            yield f"QUEUE-21: W{waiting[0]} waits beside a free place"
        if self.waiters not in self.served and self.served != sorted(self.served):
            yield f"QUEUE-3: served in the order {self.served}"
        while not self.queue.empty():
            self.got.append(self.queue.get_nowait())
        if self.got != [-1, *self.served]:
            yield f"QUEUE-1: {self.got} came out, {self.served} put"


class ShutDown(Scene):
    """The second time, to hand over is to shut the queue down; a scene of queues stands behind it."""

    what: ClassVar[str]  # what one waits for
    shut = False
    queue: Any  # a queue of the names under test

    def handed(self) -> object:
        """Whether something was handed over."""
        raise NotImplementedError

    async def one_wait(self, number: int) -> bool:
        try:
            return await super().one_wait(number)
        except self.names.QueueShutDown:
            return False

    def hand_over(self) -> None:
        if not self.handed():
            super().hand_over()
        elif not self.shut:
            self.shut = True
            self.queue.shutdown()

    def complaints(self, waiting: list[int]) -> Iterator[str]:
        if self.shut and waiting:
            yield f"QUEUE-32: W{waiting[0]} waits for {self.what} after shutdown"
        yield from super().complaints(waiting)


class ShutGetters(ShutDown, Getters):
    """Queue.get."""

    what = "an item"

    def handed(self) -> object:
        return self.put


class ShutPutters(ShutDown, Putters):
    """Queue.put."""

    what = "room"

    def handed(self) -> object:
        return self.got


class Parties(Scene):
    """Barrier for one more than wait at first; to hand over is to have another come, twice at most."""

    def __init__(self, names: Any, waiters: int) -> None:
        super().__init__(names, waiters)
        self.parties = waiters + 1
        self.barrier = names.Barrier(self.parties)
        self.places: list[int] = []
        self.came = 0

    async def one_wait(self, number: int) -> bool:
        self.came += 1
        self.places.append(await self.barrier.wait())
        return True

    hands = 2

    def hand_over(self) -> None:
        if self.hands:
            self.hands -= 1
            self.come()

    def complaints(self, waiting: list[int]) -> Iterator[str]:
        if len(waiting) >= self.parties:
            yield f"BARRIER-1: {len(waiting)} wait for {self.parties}"
        if self.places and self.came < self.parties:
            yield f"BARRIER-1: opened when {self.came} of {self.parties} had come"
        if len(set(self.places)) < len(self.places) or not set(self.places) <= set(range(self.parties)):
            yield f"BARRIER-1: the places are {self.places}"


SCENES: Final[tuple[type[Scene], ...]] = (
    Held,
    OneOfSemaphore,
    TwoOfSemaphore,
    TwoOfBounded,
    Notified,
    NotifiedSlowly,
    Pulse,
    Joined,
    Getters,
    Putters,
    ShutGetters,
    ShutPutters,
    Parties,
)
