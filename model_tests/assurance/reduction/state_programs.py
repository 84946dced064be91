"""Random programs on plain Python state: lists, dictionaries, attributes, variables that functions share.

A program has two or three tasks under one gather; each runs a few of `LINES`, and some lines give up the turn.
"""

import random
from typing import Final

#: The lines of a task; {k} is a small number.
LINES: Final = (
    *["await impl.sleep(0)"] * 5,
    "xs.append({k})",
    "n += 1",
    "n = n * 2",
    "d[{k}] = n",
    "b.v = len(xs)",
    "l = n",
    "n = l + 1",
    "if b.v: xs.append(b.v)",
    "for x in xs[:3]: b.v += x",
    "ys = xs; ys.append(9)",
    "b.v = sum(x for x in xs)",
    "d.setdefault('k', []).append({k})",
    "b.w = xs",
    "getattr(b, 'w', []).append(3)",
    "f = xs.append",
    "f(7)",
    "b.bump({k})",
    "xs[:] = sorted(xs)",
    "g = lambda: xs.append(n)",
    "g()",
    "if {k} in d: d.pop({k})",
    "n = d.get({k}, n)",
    "async with lock: n += 2",
    "xs += [n]",
    "b.v -= n",
    "del xs[:1]",
    "n += event.is_set()",
    "event.set()",
    "d.update(a=n)",
    "heapq.heappush(xs, {k})",
    "o = [xs, d]; o[0].append(1)",
    "bs.append(Box())",
    "if bs: bs[0].v = n",
    "if bs: n += bs[-1].v",
    "GLOBAL.append(n)",
    "n += len(GLOBAL)",
    "b.later = functools.partial(xs.append, {k})",
    "getattr(b, 'later', int)()",
    "impl.get_running_loop().call_soon(xs.append, {k})",
    "s.add({k})",
    "if {k} not in s: n += 5",
    "for x in xs[:2]: await impl.sleep(0); n += x",
    "n += await give(n)",
    "b.p = n",
    "n = b.p",
    "q.put_nowait({k})",
    "if not q.empty(): xs.append(q.get_nowait())",
    "b.seen = f'{{xs}}'",
    "n += next(numbers)",
    "total = xs + [n]; total.append(1); n = len(total)",
)

_IMPORT: Final = """\
import impl
"""
_HEAD: Final = """\
import functools
import heapq
import itertools
import impl

GLOBAL = []

class Box:
    def __init__(self):
        self.v = 0

    def bump(self, k):
        self.v += k

    @property
    def p(self):
        return self.v

    @p.setter
    def p(self, value):
        self.v = value

async def give(n):
    await impl.sleep(0)
    return n

async def main():
    GLOBAL.clear()
    xs, d, n, s, b, bs = [], {}, 0, set(), Box(), []
    numbers = itertools.count()
    lock, event, q = impl.Lock(), impl.Event(), impl.Queue()
"""


def state_program(seed: int, names: str = "impl") -> str:
    """The text of the program of that seed; `main` runs it on impl, or on asyncio."""
    draw = random.Random(f"loopspec state program {seed}").random
    text = _HEAD
    tasks = 2 + (draw() < 0.3)
    for task in range(tasks):
        text += f"    async def task{task}():\n        nonlocal n\n        l = 0\n        f = g = lambda *a: None\n"
        for _ in range(2 + int(draw() * 4)):
            line = LINES[int(draw() * len(LINES))]
            text += f"        {line.format(k=int(draw() * 3))}\n"
    text += f"    await impl.gather({', '.join(f'task{task}()' for task in range(tasks))})\n"
    state = "xs, n, d, sorted(s), vars(b).keys(), b.v, [x.v for x in bs], GLOBAL, q.qsize()"
    text += f"    return repr(({state}))\n"
    return text.replace("impl.", f"{names}.").replace(_IMPORT, f"import {names}\n")


def conditional_program(seed: int) -> str:
    """The text of a program where the footprint of a step depends on its reads.

    Three or four tasks share three variables.  The published algorithm is wrong about some of these (gate.py).
    """
    draw = random.Random(f"loopspec conditional program {seed}").random

    def below(n: int) -> int:
        return int(draw() * n)

    tasks = 3 + (draw() < 0.3)
    text = f"{_IMPORT}\nasync def main():\n    a = b = c = 0\n"
    text += f"    logs = [[] for _ in range({tasks})]\n"
    for task in range(tasks):
        text += f"    async def task{task}():\n        nonlocal a, b, c\n        log = logs[{task}]\n"
        for line in range(1 + below(2) + (tasks == 3) * below(2)):
            if line:
                text += "        await impl.sleep(0)\n"
            x, y = "abc"[below(3)], "abc"[below(3)]
            lines = (
                f"{x} = {1 + below(2)}",
                f"if {x}: {y} = {1 + below(2)}",
                f"if not {x}: {y} = {1 + below(2)}",
                f"log.append({x})",
                f"if {x} == {1 + below(2)}: log.append({y})",
                f"if {x}: log.append({y})",
            )
            text += f"        {lines[below(6)]}\n"
    text += f"    await impl.gather({', '.join(f'task{task}()' for task in range(tasks))})\n"
    return text + "    return a, b, c, logs\n"
