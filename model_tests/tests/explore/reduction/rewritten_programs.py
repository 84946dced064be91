"""Functions with much of Python's syntax: the rewritten copy of this file must behave as the file does."""

from __future__ import annotations

import asyncio
import functools
import heapq
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NamedTuple

TOTALS: dict[str, int] = {}
LIMIT = 3


@dataclass
class Point:
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        return abs(self.x) + abs(self.y)

    @size.setter
    def size(self, value: int) -> None:
        self.x = value - abs(self.y)


class Pair(NamedTuple):
    left: int
    right: list[int]


class Base:
    """Private names, class attributes, super."""

    made = 0

    def __init__(self, value: int) -> None:
        """Docstring."""
        self.__value = value
        Base.made += 1

    def value(self) -> int:
        return self.__value

    def __enter__(self) -> Base:
        self.__value += 1
        return self

    def __exit__(self, *_: object) -> None:
        self.__value -= 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Base) and self.__value == other.__value

    def __hash__(self) -> int:
        return hash(self.__value)


class Derived(Base):
    __slots__ = ("extra",)

    def __init__(self, value: int, extra: int = 0) -> None:
        super().__init__(value * 2)
        self.extra = extra

    def value(self) -> int:
        return super().value() + self.extra


class Stack(list[int]):
    def push(self, item: int) -> None:
        self.append(item)


def operators() -> Any:
    xs, d, s = [3, 1, 2], {"a": 1}, {1, 2}
    ys = xs
    ys += [4]
    xs[0] -= 1
    xs[1:2] = [7, 8]
    del xs[-1]
    d["b"], d["c"] = 2, xs[0]
    d["a"] += 5
    s |= {9}
    n = not xs or len(xs) > 2 < 10
    return (
        (xs, ys is xs, d, sorted(s), n, 3 in s, 3 not in s, -xs[0], xs == ys, xs is not ys),
        (1 < 2 < 3, xs + ys, xs * 2, ~1, "a" if d else "b"),
    )


def displays() -> Any:
    xs, d = [1, 2, 3], {"k": 1}
    first, *rest = xs
    (a, b), c = (1, 2), 3
    squares = [x * y for x in xs for y in xs if x < y]
    total = sum(x for x in xs)
    seen = {x % 2 for x in xs}
    named = {str(x): x for x in xs}
    if (n := len(xs)) > 2:
        total += n
    return (
        (first, rest, a, b, c, squares, total, sorted(seen), named, [*xs, *rest], {**d, "j": 2}),
        (f"{xs!r} {d} {total:>{n}}", xs[::2], (*xs,)),
    )


def calls() -> Any:
    xs = [3, 1, 2]
    add = xs.append
    add(7)
    heapq.heappush(xs, 0)
    later = functools.partial(xs.append, 9)
    later()
    key = lambda x: -x  # noqa: E731
    counted = Counter("abca")
    grouped: defaultdict[str, list[int]] = defaultdict(list)
    grouped["a"].append(1)
    grouped["a"].append(2)
    line = deque(xs, maxlen=3)
    line.appendleft(5)
    box = SimpleNamespace(v=1)
    box.v += 1
    return (
        (sorted(xs, key=key), counted.most_common(1), dict(grouped), list(line), box.v, max(xs)),
        (", ".join(map(str, xs)), list(zip(xs, line, strict=False)), list(enumerate(xs)), next(iter(xs))),
        (getattr(box, "w", None), hasattr(box, "v")),
    )


def classes() -> Any:
    Base.made = 0
    p = Point(1, tags=["t"])
    p.x += 2
    p.size = 10
    with Derived(2, 3) as d:
        inside = d.value()
    pair = Pair(1, [2])
    pair.right.append(3)
    stack = Stack()
    stack.push(1)
    stack += [2]
    setattr(p, "y", 4)  # noqa: B010
    return (
        (p, p.size, inside, d.value(), Base.made, pair, stack),
        (Base(1) == Base(1), len({Base(1), Base(1)}), repr(p)),
    )


def control() -> Any:
    found: list[Any] = []
    for n, letter in enumerate("abc"):
        if n == 1:
            continue
        found.append(letter)
    else:
        found.append("else")
    while len(found) < 5:
        found.append(len(found))
    try:
        found[99]
    except IndexError as error:
        found.append(type(error).__name__)
    finally:
        found.append("finally")
    for point in (Point(1, 2), Pair(1, [2]), {"k": [1, 2]}, 5):
        match point:
            case Point(x=1, y=y):
                found.append(y)
            case Pair(left, [only]):
                found.append((left, only))
            case {"k": [first, *rest]}:
                found.append((first, rest))
            case other if other == 5:
                found.append("five")
    assert found, f"nothing in {found}"
    return found


def scopes() -> Any:
    n = 0
    xs: list[int] = []

    def bump(by: int = 1, *more: int, **named: int) -> int:
        nonlocal n
        n += by + sum(more) + sum(named.values())
        xs.append(n)
        return n

    bump()
    bump(2, 3, four=4)
    TOTALS["n"] = n
    return n, xs, TOTALS, LIMIT, [lambda: n, bump][0]()


def generators() -> Any:
    def count(upto: int) -> Any:
        got = yield from inner(upto)
        yield got

    def inner(upto: int) -> Any:
        total = 0
        for n in range(upto):
            sent = yield n
            total += sent or 0
        return total

    made = count(3)
    return list(made), next(count(2)), [x + 1 for x in count(2)], sum(count(4))


async def awaiting() -> Any:
    lock, queue = asyncio.Lock(), asyncio.Queue[int]()
    box = Point(0)

    async def numbers() -> Any:
        for n in range(3):
            await asyncio.sleep(0)
            yield n

    async def add(n: int) -> int:
        async with lock:
            box.x += await give(n)
            await queue.put(n)
        return n

    async def give(n: int) -> int:
        await asyncio.sleep(0)
        return n

    results = await asyncio.gather(*(add(n) for n in (1, 2)))
    got = [n async for n in numbers()]
    async for n in numbers():
        got.append(n + await give(1))
    awaited = [await give(n) for n in (1, 2)], 1 + await give(1), f"{await give(3)}"
    return results, got, box, queue.qsize(), awaited


SYNCHRONOUS = (operators, displays, calls, classes, control, scopes, generators)
