"""Rewriting a program: it behaves as before, the original stays as it was, and its accesses are named."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import impl
from impl.explore.reduction.footprint import Footprint, conflict, log
from impl.explore.reduction.kinds import is_rewritten
from impl.explore.reduction.program import NotRewritable, begin_run, execute, rewritten
from impl.explore.reduction.watch import watched
from impl.explore.reduction.words import Words
from impl.tasks.current import set_running_loop

from ....examples import races
from ....programs.substitution import substituted
from . import rewritten_programs

# Any in this file: the results of the programs.


@pytest.mark.parametrize("program", rewritten_programs.SYNCHRONOUS, ids=lambda program: program.__name__)
def test_a_rewritten_function_returns_the_same(program: Callable[[], Any]) -> None:
    expected = repr(program())
    with rewritten(program):
        assert is_rewritten(program)
        assert repr(program()) == expected
    assert not is_rewritten(program)
    assert repr(program()) == expected


def test_a_rewritten_coroutine_returns_the_same() -> None:
    expected = repr(asyncio.run(rewritten_programs.awaiting()))
    with rewritten(rewritten_programs.awaiting):
        assert repr(asyncio.run(rewritten_programs.awaiting())) == expected


def test_the_original_stays_as_it_is() -> None:
    before, code = dict(vars(rewritten_programs)), rewritten_programs.scopes.__code__
    with rewritten(rewritten_programs.scopes):
        assert vars(rewritten_programs) == before
        assert rewritten_programs.scopes.__code__ is not code
    assert rewritten_programs.scopes.__code__ is code


def test_a_function_within_a_function_keeps_its_variables() -> None:
    kept = [1]

    def inner(more: int) -> list[int]:
        return [*kept, more]

    with rewritten(inner):
        assert is_rewritten(inner)
        assert inner(2) == [1, 2]
        kept.append(5)
        assert inner(2) == [1, 5, 2]


@pytest.mark.parametrize("what", [len, eval("lambda: 1")])
def test_what_has_no_file_is_refused(what: Any) -> None:
    with pytest.raises(NotRewritable, match="cannot be rewritten"), rewritten(what):
        pass


def accesses(program: Callable[[], Coroutine[Any, Any, object]]) -> list[list[str]]:
    """The accesses of each step of a program, first in, first out; a write ends with `!`."""
    lines: list[list[str]] = []
    words = Words()
    with watched():
        log.forget()
        begin_run(program)
        log.accesses = []
        loop = impl.Loop(contexts=False)
        before = set_running_loop(loop)
        try:
            main = loop.create_task(program(), name="main")
            while not main.done():
                log.accesses = []
                log.begin_step(len(lines) + 1)
                loop.step()
                noted, log.accesses = log.accesses, []
                words.learn(loop.live)
                said = words.say(noted)
                lines.append([f"{each}{'!' * each.write}" for each in said if "." in each.where])
        finally:
            log.accesses = None
            set_running_loop(before)
            loop.close()
    return lines


PROGRAM = """
import impl

class Box:
    def __init__(self):
        self.value = 0

async def main():
    count = 0
    box = Box()
    seen = {}
    lock = impl.Lock()

    async def one(key):
        nonlocal count
        count += 1
        if key not in seen:
            await impl.sleep(0)
            seen[key] = 1
        async with lock:
            box.value += 1

    await impl.gather(one("a"), one("b"))
"""


def test_accesses_have_the_words_of_the_program(tmp_path: Path) -> None:
    module = execute(PROGRAM, str(tmp_path / "boxes.py"), "boxes")
    with rewritten(module.main):
        lines = accesses(module.main)
    first, second = lines[1], lines[3]
    assert {"count!", "seen['a']"} <= set(first)
    assert {"seen['a']!", "lock.locked!", "box.value!"} <= set(second)
    assert "seen['b']" not in {*first, *second}


def test_an_access_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "boxes.py"
    module = execute(PROGRAM, str(path), "boxes")
    log.forget()
    with rewritten(module.main):
        begin_run(module.main)
        log.accesses = []
        try:
            module.Box()
            [access] = log.accesses
        finally:
            log.accesses = None
    assert (access.cell, access.write, access.where) == ("value", True, f"{path}:6")


def footprint(text: str, **names: object) -> Footprint:
    """The footprint of a function's body, which sees these names as parameters."""
    lines = "\n".join(f"    {line}" for line in text.splitlines())
    module = execute(f"import heapq\ndef f({', '.join(names)}):\n{lines}\n", "f.py", "f")
    log.begin_step("f")
    module.f(*names.values())
    return log.end_step()


@pytest.mark.parametrize(("one", "other", "conflicts"), [
    ("d['a'] = 1", "d['b'] = 2", False),  # both are there
    ("d['a'] = 1", "d['a']", True),
    ("d['new'] = 1", "d['a']", False),
    ("d['new'] = 1", "d['newer'] = 1", True),  # the order of keys
    ("d['new'] = 1", "list(d)", True),
    ("d['a'] = 1", "len(d)", True),
    ("d.pop('a')", "'b' in d", False),
    ("d.pop('a')", "'a' in d", True),
    ("d.clear()", "'b' in d", True),
    ("s.add(1)", "2 in s", False),
    ("s.add(1)", "1 in s", True),
    ("s.add(1)", "s.add(2)", True),
    ("xs.append(1)", "xs[0]", True),
    ("xs[0] = 1", "xs[1]", False),
    ("xs[0] = 1", "xs[-1]", True),
    ("xs[0]", "xs[0]", False),
    ("f = xs.append\nf(1)", "xs[0]", True),
    ("xs += [1]", "xs[0]", True),
    ("ys = xs", "xs.append(1)", False),  # the list is moved, not looked at
    ("[xs, d] == 1", "d['a'] = 1", True),
    ("repr((1, [xs]))", "xs.append(1)", True),
    ("f'{xs}'", "xs.append(1)", True),
    ("if xs: pass", "xs.append(1)", True),
    ("for x in xs: pass", "xs.append(1)", True),
    ("for x in enumerate(xs): pass", "xs.append(1)", True),
    ("for x in d.items(): pass", "d['a'] = 1", True),
    ("a, b = xs", "xs.append(1)", True),
    ("print(*xs, end='', file=None)", "xs.append(1)", True),
    ("heapq.heappush(xs, 1)", "d['a']", True),  # not understood
    ("next(iter(xs))", "xs.append(1)", True),
    ("globals()", "d['a'] = 1", True),
])  # fmt: skip
def test_which_accesses_conflict(one: str, other: str, conflicts: bool) -> None:
    log.forget()
    results = []
    # Each on its own copies, under the same names: the first must not prepare the state for the second.
    for text in (one, other):
        log.begin_run()
        copies: dict[str, Any] = {"d": {"a": 1, "b": 2}, "s": {0}, "xs": [1, 2]}
        for name, thing in copies.items():
            log.made(thing, name)
        got = footprint(text, **copies)
        # Every step of a program reads the unknown thing.
        results.append(Footprint(got.reads | log.unknown_bit, got.writes, got.adds))
    assert conflict(*results) is conflicts


def test_a_module_with_another_asyncio_keeps_it() -> None:
    program = substituted(races, impl).lost_update
    with rewritten(program):
        assert is_rewritten(program)
        assert program.__globals__["asyncio"] is not asyncio
