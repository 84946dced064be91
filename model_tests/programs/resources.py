"""Resources of random programs: things that tasks wait for, hand over, and enter.

A `Resource` is a named thing of a program with the statements that use it: those that may wait (`waits`), those that
hand something over (`gives`), and those of the latter that a callback can do too (`acts`: their second element is an
expression that does not wait).  Its `races` describe how several tasks come to wait: main's first statement (which does
not wait), how each task waits, and the statements that may release them.
"""

from collections.abc import Callable, Collection
from typing import Any, ClassVar, Final

# `Any` in this file: statements and expressions are JSON (vectors/FORMAT.md).
Choose = Callable[[int], int]
Make = Callable[[Choose], list[Any]]
#: The number of variants of a resource: sizes, and classes that are used alike.
SHAPES: Final = 6
#: The statements of main before the race, the waits of the tasks, and the hand-overs that may release them.
Race = tuple[list[Make], Make, list[Make]]


class Resource:
    """A thing that tasks compete for."""

    makes: ClassVar[list[Any]] = []  #: the expression that creates it, unless that depends on its shape
    enters = False  #: whether `async with` accepts it

    def __init__(self, name: str, choose: Choose) -> None:
        self.name = name
        self.items = 0
        self.shape = choose(SHAPES)
        self.waits: list[Make] = []
        self.acts: list[Make] = []
        self.gives: list[Make] = []
        self.fill()

    @property
    def races(self) -> list[Race]:
        return [([], wait, self.gives) for wait in self.waits]

    def made(self) -> list[Any]:
        """Return the expression that creates it."""
        return [*self.makes]

    def fill(self) -> None:
        """Fill in its statements."""
        raise NotImplementedError

    def do(self, method: str, *args: Any) -> Make:
        return lambda choose: ["do", [f"{self.name}.{method}", *args]]

    def wait(self, method: str, *args: Any) -> Make:
        return lambda choose: ["await", [f"{self.name}.{method}", *args]]


class AFuture(Resource):
    makes: ClassVar = ["loop.create_future"]

    def fill(self) -> None:
        self.waits = [lambda choose: ["await", self.name]]
        self.acts = [
            lambda choose: ["do", [f"{self.name}.set_result", choose(8)]],
            lambda choose: ["do", [f"{self.name}.set_exception", ["KeyError", choose(8)]]],
            self.do("cancel"),
        ]
        self.gives = [self.acts[0], *self.acts]


class AQueue(Resource):
    def made(self) -> list[Any]:
        return [("Queue", "Queue", "Queue", "Queue", "LifoQueue", "PriorityQueue")[self.shape], self.size]

    @property
    def races(self) -> list[Race]:
        put, get, done = self.acts
        full = [put] * self.size
        return [
            ([], self.waits[0], [put, put, put, put, get, self.end]),
            (full, self.waits[1], [get, get, get, get, put, self.end]),
            ([put], self.waits[2], [done, done, put, get]),
        ]

    def fill(self) -> None:
        self.size = 1 + self.shape % 2
        self.waits = [self.wait("get"), self.put, self.wait("join")]
        self.acts = [self.put_nowait, self.do("get_nowait"), self.do("task_done")]
        self.gives = [*self.acts, self.put_nowait, self.do("get_nowait"), self.end]

    def item(self, choose: Choose) -> int:
        """Return an item that no other put has; the priority varies."""
        self.items += 1
        return 100 * choose(3) + self.items

    def put(self, choose: Choose) -> list[Any]:
        return ["await", [f"{self.name}.put", self.item(choose)]]

    def put_nowait(self, choose: Choose) -> list[Any]:
        return ["do", [f"{self.name}.put_nowait", self.item(choose)]]

    def end(self, choose: Choose) -> list[Any]:
        kind = choose(4)
        if kind < 2:
            return ["do", [f"{self.name}.task_done"]]
        return ["do", [f"{self.name}.shutdown", kind == 3]]


class PermitResource(Resource):
    """A resource that tasks acquire and release."""

    enters = True
    free = True  #: whether there is a permit at the beginning

    def fill(self) -> None:
        self.waits = [self.wait("acquire"), self.held]
        self.acts = [self.do("release")]
        self.gives = self.acts

    @property
    def races(self) -> list[Race]:
        """Return the races; main has the first permit."""
        return [([self.wait("acquire")] if self.free else [], wait, self.gives) for wait in self.waits]

    def held(self, choose: Choose) -> list[Any]:
        return ["with", self.name, None, [["turn", 1 + choose(2)]]]


class ALock(PermitResource):
    makes: ClassVar = ["Lock"]


class ASemaphore(PermitResource):
    def fill(self) -> None:
        super().fill()
        self.free = self.shape >= 2

    def made(self) -> list[Any]:
        return [("Semaphore", "BoundedSemaphore")[self.shape % 2], self.shape // 2]


class ACondition(PermitResource):
    makes: ClassVar = ["Condition"]

    def fill(self) -> None:
        super().fill()
        self.waits = [self.waiting, self.waiting, *self.waits]
        self.gives = [self.notifying, self.notifying, *self.acts]

    @property
    def races(self) -> list[Race]:
        return [([], wait, self.gives) for wait in self.waits] + super().races

    def waiting(self, choose: Choose) -> list[Any]:
        return ["with", self.name, None, [["await", [f"{self.name}.wait"]]]]

    def notifying(self, choose: Choose) -> list[Any]:
        call = ([f"{self.name}.notify", 1 + choose(2)], [f"{self.name}.notify_all"])[choose(2)]
        return ["with", self.name, None, [["do", call]]]


class AnEvent(Resource):
    makes: ClassVar = ["Event"]

    def fill(self) -> None:
        self.waits = [self.wait("wait")]
        self.acts = [self.do("set"), self.do("clear")]
        self.gives = self.acts


class ABarrier(Resource):
    enters = True

    def made(self) -> list[Any]:
        return ["Barrier", 1 + self.shape // 2]

    def fill(self) -> None:
        self.waits = [self.wait("wait")]
        self.gives = [self.wait("wait"), self.wait("reset"), self.wait("abort")]
        self.acts = [lambda choose: ["do", ["bool", self.name]]]


RESOURCES: Final[tuple[Callable[[str, Choose], Resource], ...]] = (
    AFuture, AQueue, AQueue, ALock, ASemaphore, ACondition, AnEvent, ABarrier,
)  # fmt: skip


def resources_of(names: Collection[str]) -> list[Callable[[str, Choose], Resource]]:
    """Return makers of the resources that are things of one of these classes."""

    def shaped(make: Callable[[str, Choose], Resource], shape: int) -> Callable[[str, Choose], Resource]:
        return lambda name, choose: make(name, lambda n: shape)

    makers = [shaped(make, shape) for make in dict.fromkeys(RESOURCES) for shape in range(SHAPES)]
    return [make for make in makers if make("", lambda n: 0).made()[0] in names]
