"""Every construct of the subset: `loopspec check zoo.py --tlc` counts the same, and finds the same broken."""

# ruff: noqa: C416, C420, RET505, RUF005, RUF021, SIM300  (each construct in each form)

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, IntEnum, StrEnum
from typing import NewType

from spec.kit import Fails, Holds, Map, Model, Spec, mutant, only

Task = NewType("Task", int)
Line = tuple[Task, ...]
At = StrEnum("At", {"OUT": "out", "IN": 'the "inner" room \\ Zürich'})
Colour = Enum("Colour", "RED BLUE")
Level = IntEnum("Level", {"LOW": 1, "HIGH": 4})


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
    q: Line = ()
    n: int = 0
    pairs: frozenset[tuple[Task, int]] = frozenset()
    lit: bool = False
    colour: Colour = Colour.RED
    level: Level = Level.LOW
    box: Box = Box(0)
    none: int | None = None
    two: tuple[int, bool] = (0, False)


OPAQUE = {"backwards": "it is a slice", "any_order": "it calls itself"}
zoo = Spec[Const, State]("zoo", State, universe={Task: "tasks"}, opaque=OPAQUE)


def backwards(x: Line) -> Line:
    return x[::-1]


def any_order(x: Line) -> Iterator[Line]:
    if x == ():
        yield x
    for t in x:
        yield from ((t, *y) for y in any_order(tuple(u for u in x if u != t)))


def many(k: Const, s: State) -> int:
    inside = sum(1 for t in k.tasks if s.at[t] == At.IN)
    if inside > k.most:
        return k.most
    if inside > 0:
        return inside
    else:
        return 0


def moved(s: State, t: Task) -> State:
    new: At = At.OUT if s.at[t] == At.IN else At.IN
    return replace(s, at=s.at | {t: new})


def either(s: State, t: Task) -> Iterator[State]:
    yield replace(s, q=(t,) + s.q)
    if len(s.q) > 0:
        yield replace(s, q=s.q[1:] + (s.q[0],))
    for r in any_order(s.q):
        if len(r) > 0 and s.q[-1] == r[0] and s.q[-2 + 1] != r[-1]:
            yield replace(s, q=r[:1] + (r[1:] if len(r) > 1 else ()))


def outside(k: Const, s: State, t: Task) -> bool:
    return s.at[t] != At.IN and len(s.q) < k.most


def inside(k: Const, s: State, t: Task) -> bool:
    return s.at[t] == At.IN


def light(k: Const, s: State) -> bool:
    return s.lit


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
        for q in either(moved(s, t), t):
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
        yield replace(moved(s, t), q=now, n=s.n + (1 if s.n < 2 else -2), pairs=gone, two=(len(now), s.n == 1))


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
    """ZOO-7: Exactly those inside stand in the line; without the light nothing is none's."""
    names = frozenset({t for t, n in s.pairs})
    return (
        all((s.at[t] == At.IN) == (t in s.q) for t in k.tasks)
        and frozenset({t for t in s.q}) == names
        and (s.lit or (s.none == k.nothing and s.level < Level.HIGH))
    )


@zoo.invariant
def heavy(k: Const, s: State) -> bool:
    """ZOO-8: The weight has a bound; orders of numbers, tuples and sets; ones that are counted."""
    low = frozenset({t for t in k.tasks if s.at[t] == At.IN})
    box = s.box
    bound = k.most + k.most if s.lit or s.n else k.most
    weight = sum(k.weight[t] + n for t, n in s.pairs if n > 0 for u in s.q if u != t)
    return (
        weight - sum(len(s.q) for t in s.q) <= bound + bound
        and s.box != Box(size=7)
        and (0 <= s.n <= 2 < 3 and (0, -1) < (s.n, -1) or not low > k.tasks)
        and (s.n, box.size) >= (0, 0)
        and ((0, 1) <= (s.n, s.n)) == (s.n > 0)
        and sum(t in s.q for t in k.tasks) == len(s.q)
        and s.two[0] in (0, 1, 2)
        and len(low | {t for t in k.tasks}) - sum(1 for t in s.at) == len(s.at) - len(k.tasks)
    )


@zoo.step
def short(k: Const, s: State, t: State) -> bool:
    """ZOO-10: The line changes by one at most."""
    return s.q == t.q or len(s.q) < len(t.q) or len(t.q) < len(s.q)


@zoo.step_of(enter)
def entered(k: Const, s: State, t: State, w: Task) -> bool:
    """ZOO-11: A task that enters is the first."""
    return t.q[:1] == (w,) and t.q[0] == w


@zoo.leads_to(inside)
def out(k: Const, s: State, t: Task) -> bool:
    """ZOO-12: A task that is inside comes out."""
    return s.at[t] == At.OUT


@zoo.leads_to(light)
def dark(k: Const, s: State) -> bool:
    """ZOO-13: Wrong: the light goes out."""
    return not s.lit


@zoo.invariant
def few(k: Const, s: State) -> bool:
    """ZOO-14: Wrong: no two are inside."""
    return len(s.q) < 2


@zoo.step_of(leave)
def slow(k: Const, s: State, t: State, w: Task) -> bool:
    """ZOO-15: Wrong: n grows for ever."""
    return t.n > s.n


def enter_late(k: Const, s: State, t: Task) -> Iterator[State]:
    """ZOO-3: Wrong: n begins again; in the light no task enters."""
    if not s.lit:
        yield from enter(k, replace(s, n=0), t)


def model(spec: Spec[Const, State], tasks: int = 2, most: int = 2) -> Model[Const, State]:
    names = [Task(t) for t in range(tasks)]
    k = Const(frozenset(names), most, Map({t: t + 1 for t in names}))
    begin = State(Map({t: At.OUT for t in names}))
    return Model(spec, k, (begin,), {Task: names, bool: [False, True], Colour: list(Colour)})


def fails(name: str, depth: int, spec: Spec[Const, State] = zoo) -> Fails:
    return Fails(zoo, name, lambda: model(only(spec, name)), broken=name, depth=depth)


right = Spec("zoo", State, zoo, without=["few", "slow", "dark"])
late = mutant(zoo, "entering resets n", enter=enter_late)
ONE = Holds(right, "one task", lambda: [model(right, 1)])
TWO = Holds(right, "two tasks", lambda: [model(right)])
FAMILY = Holds(right, "small ones", lambda: [model(right, tasks, 1) for tasks in (1, 2)], live=True)
FEW, SLOW, DARK = fails("few", 2), fails("slow", 6), fails("dark", 1)
FRAME, ALLOWED = fails("frame", 3, late), fails("allowed", 1, late)
