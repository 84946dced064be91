"""Every construct of the subset once: `loopspec check zoo.py --tlc` must count the same, and find the same broken."""

# ruff: noqa: C416, C420, RET505, RUF005, RUF021, SIM300  (each construct in each form)

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, IntEnum, StrEnum
from typing import NewType

from spec.kit import Fails, Holds, Map, Model, Spec, mutant, only

Task = NewType("Task", int)
Pair = tuple[Task, int]


class At(StrEnum):
    OUT = "out"
    IN = 'the "inner" room \\ Zürich'


class Colour(Enum):
    RED = 1
    BLUE = 2


class Level(IntEnum):
    LOW = 1
    HIGH = 4


@dataclass(frozen=True)
class Box:
    size: int
    left: tuple[int, ...] = ()


@dataclass(frozen=True)
class Const:
    tasks: frozenset[Task]
    most: int
    weight: Map[Task, int]
    nothing: int | None = None


@dataclass(frozen=True)
class State:
    at: Map[Task, At]
    q: tuple[Task, ...]
    n: int
    pairs: frozenset[Pair]
    lit: bool
    colour: Colour
    level: Level
    box: Box
    none: int | None
    two: tuple[int, bool]


def shorter(x: tuple[Task, ...], y: tuple[Task, ...]) -> bool:
    return len(x) < len(y)


def backwards(x: tuple[Task, ...]) -> tuple[Task, ...]:
    return x[::-1]


def any_order(x: tuple[Task, ...]) -> Iterator[tuple[Task, ...]]:
    if x == ():
        yield x
    for t in x:
        yield from ((t, *y) for y in any_order(tuple(u for u in x if u != t)))


zoo = Spec[Const, State](
    "zoo", State, universe={Task: "tasks"}, opaque={"backwards": "a slice", "any_order": "it calls itself"}
)


def many(k: Const, s: State) -> int:
    inside = sum(1 for t in k.tasks if s.at[t] == At.IN)
    if inside > k.most:
        return k.most
    if inside > 0:
        return inside
    else:
        return 0


def weight(k: Const, s: State) -> int:
    return sum(k.weight[t] + n for t, n in s.pairs if n > 0 for u in s.q if u != t) - sum(
        len(s.q) for t in s.q
    )


def moved(s: State, t: Task) -> State:
    new: At = At.OUT if s.at[t] == At.IN else At.IN
    return replace(s, at=s.at | {t: new})


def either(k: Const, s: State, t: Task) -> Iterator[State]:
    """Both ends of the line."""
    yield replace(s, q=(t,) + s.q)
    if len(s.q) > 0:
        yield replace(s, q=s.q[1:] + (s.q[0],))
    for r in any_order(s.q):
        if len(r) > 0 and s.q[-1] == r[0] and s.q[-2 + 1] != r[-1]:
            yield replace(s, q=r[:1] + (r[1:] if len(r) > 1 else ()))


def outside(k: Const, s: State, t: Task) -> bool:
    return s.at[t] != At.IN and len(s.q) < k.most


@zoo.assume
def some(k: Const) -> bool:
    """ZOO-1: There is a task."""
    return any(True for t in k.tasks) and -k.most < 0


@zoo.init
def start(k: Const, s: State) -> bool:
    """ZOO-2: All are outside."""
    return all(x == At.OUT for t in s.at for x in (s.at[t],)) and s.q == () and not s.lit


@zoo.action(changes="at[t] q pairs box", whenever=outside)
def enter(k: Const, s: State, t: Task) -> Iterator[State]:
    """ZOO-3: A task enters."""
    if s.at[t] == At.OUT and many(k, s) < k.most and t not in s.q:
        entered = moved(s, t)
        for q in either(k, entered, t):
            if q.q[0] == t:
                n = max(len(q.q), k.weight[t], 1) - min(s.n, 1)
                yield replace(q, pairs=q.pairs | {(t, n)}, box=Box(size=n, left=(n, 0)))


@zoo.action(fair=True, changes="at[t] q n pairs two")
def leave(k: Const, s: State, t: Task) -> Iterator[State]:
    """ZOO-4: The last task leaves."""
    last = backwards(s.q)
    if last[:1] == (t,):
        now = backwards(last[1:])
        gone = s.pairs - {(u, n) for u, n in s.pairs if u == t or n < 0}
        yield replace(
            moved(s, t), q=now, n=s.n + (1 if s.n < 2 else -2), pairs=gone, two=(len(now), s.n == 1)
        )


@zoo.action(changes="lit colour level none")
def switch(k: Const, s: State, lit: bool, colour: Colour) -> Iterator[State]:
    """ZOO-5: The light changes, with a colour or without."""
    if lit != s.lit and s.n == 0 and s.q == ():
        if lit:
            yield replace(s, lit=lit, colour=colour, none=s.n)
            yield replace(s, lit=lit, colour=colour, level=Level.HIGH)
        elif colour == s.colour and s.level >= Level.LOW:
            yield replace(s, lit=lit, colour=Colour.RED, level=Level.LOW, none=k.nothing)


@zoo.action(changes="at")
def swap(k: Const, s: State) -> Iterator[State]:
    """ZOO-6: Nothing happens, in many words."""
    at = s.at | {t: s.at[t] for t in k.tasks if s.q or not s.lit}
    yield replace(s, at=at | ({} if s.n else {t: at[t] for t, n in s.pairs}))


@zoo.invariant
def lined(k: Const, s: State) -> bool:
    """ZOO-7: Exactly those inside stand in the line."""
    return all((s.at[t] == At.IN) == (t in s.q) for t in k.tasks) and frozenset(
        {t for t in s.q}
    ) == frozenset({t for t, n in s.pairs})


@zoo.invariant
def ordered(k: Const, s: State) -> bool:
    """ZOO-8: Orders of numbers, tuples and sets; a chain; ones that are counted."""
    low = frozenset({t for t in k.tasks if s.at[t] == At.IN})
    box = s.box
    return (
        0 <= s.n <= 2 < 3
        and (0, -1) < (s.n, -1)
        or (
            low <= k.tasks
            and not low > k.tasks
            and (s.n, box.size) >= (0, 0)
            and sum(t in s.q for t in k.tasks) == len(s.q)
            and s.two[0] in (0, 1, 2)
            and len(s.at) == len(k.tasks)
            and len(low | {t for t in k.tasks}) - sum(1 for t in s.at) == 0
        )
    )


@zoo.invariant
def light(k: Const, s: State) -> bool:
    """ZOO-9: Without the light nothing is none's."""
    return s.lit or (s.none == k.nothing and s.level < Level.HIGH)


@zoo.invariant
def heavy(k: Const, s: State) -> bool:
    """ZOO-10: The weight has a bound."""
    bound = k.most + k.most if s.lit or s.n else k.most
    return weight(k, s) <= bound + bound and s.box != Box(size=7)


@zoo.step
def short(k: Const, s: State, t: State) -> bool:
    """ZOO-11: The line changes by one at most."""
    return s.q == t.q or shorter(s.q, t.q) or shorter(t.q, s.q)


@zoo.step_of(enter)
def entered(k: Const, s: State, t: State, w: Task) -> bool:
    """ZOO-12: A task that enters is the first."""
    return t.q[:1] == (w,) and t.q[0] == w


def inside(k: Const, s: State, t: Task) -> bool:
    return s.at[t] == At.IN


@zoo.leads_to(inside)
def out(k: Const, s: State, t: Task) -> bool:
    """ZOO-13: A task that is inside comes out."""
    return s.at[t] == At.OUT


def lights(k: Const, s: State) -> bool:
    return s.lit


@zoo.leads_to(lights)
def dark(k: Const, s: State) -> bool:
    """ZOO-16: The light goes out: it need not."""
    return not s.lit


@zoo.invariant
def few(k: Const, s: State) -> bool:
    """ZOO-14: It is false with two tasks."""
    return len(s.q) < 2


@zoo.step_of(leave)
def slow(k: Const, s: State, t: State, w: Task) -> bool:
    """ZOO-15: It is false from the third time on."""
    return t.n > s.n


def model(spec: Spec[Const, State] = zoo, tasks: int = 2, most: int = 2) -> Model[Const, State]:
    names = [Task(t) for t in range(tasks)]
    at = Map({t: At.OUT for t in names})
    k = Const(frozenset(names), most, Map({t: t + 1 for t in names}))
    begin = State(at, (), 0, frozenset(), False, Colour.RED, Level.LOW, Box(0), None, (0, False))
    return Model(spec, k, (begin,), {Task: names, bool: [False, True], Colour: list(Colour)})


def enter_twice(k: Const, s: State, t: Task) -> Iterator[State]:
    """ZOO-3: Wrong: a task enters again."""
    yield replace(s, q=(t,) + s.q)


def enter_late(k: Const, s: State, t: Task) -> Iterator[State]:
    """ZOO-3: Wrong: the line is in another order."""
    yield from enter(k, replace(s, n=0), t)


def enter_in_the_light(k: Const, s: State, t: Task) -> Iterator[State]:
    """ZOO-3: Wrong: a task enters in the light only."""
    if s.lit:
        yield from enter(k, s, t)


right = Spec("zoo", State, zoo, without=["few", "slow", "dark"])
ONE = Holds(right, "one task", lambda: [model(right, 1)])
TWO = Holds(right, "two tasks", lambda: [model(right)])
FAMILY = Holds(right, "small ones", lambda: [model(right, tasks, 1) for tasks in (1, 2)], live=True)
FEW = Fails(zoo, "two inside", lambda: model(only(zoo, "few")), broken="few", depth=2)
SLOW = Fails(zoo, "a third time", lambda: model(only(zoo, "slow")), broken="slow", depth=6)
AGAIN = mutant(zoo, "a task enters twice", enter=enter_twice)
LINED = Fails(zoo, AGAIN.name, lambda: model(only(AGAIN, "lined")), broken="lined", depth=1)
LATE = mutant(zoo, "entering resets n", enter=enter_late)
FRAME = Fails(zoo, LATE.name, lambda: model(only(LATE, "frame")), broken="frame", depth=3)
LIT = mutant(zoo, "a task waits for the light", enter=enter_in_the_light)
ALLOWED = Fails(zoo, LIT.name, lambda: model(only(LIT, "allowed")), broken="allowed", depth=0)
DARK = Fails(zoo, "the light stays", lambda: model(only(zoo, "dark")), broken="dark", depth=1)
