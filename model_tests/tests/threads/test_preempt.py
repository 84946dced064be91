"""`--preempt`: programs of two threads have the outcomes that all interleavings of their accesses have."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from subprocess import CompletedProcess
from types import CodeType, SimpleNamespace
from typing import Any

import pytest

from impl.bridges.asyncio.run import simulate
from impl.explore import explore
from impl.sim.token import TokenError

from ...dev.pythons import ROOT
from ...programs.tables import texts
from ..fixtures import Patch
from ..process import python

PAIRS, PROGRAMS = (texts(Path(__file__).with_name(name)) for name in ("pairs.txt", "preempted.txt"))
DEADLOCK = "DeadlockError"


class Lock:
    """A lock of the reference, which never blocks: a step is not taken while `acquire` would."""

    def __init__(self) -> None:
        self.held = False

    def acquire(self, blocking: bool = True) -> bool:
        got, self.held = not self.held, True
        return got

    def release(self) -> None:
        self.held = False


def steps_of(line: str) -> list[str]:
    """The accesses of a line, each of which is one step."""
    changed = re.fullmatch(r"(if t: |if t == 0: )?S\.(\w) ([+-])= 1", line)
    if changed:
        guard, name, sign = changed[1] or "", changed[2], changed[3]
        return [f"{guard}v = S.{name}", f"{guard}S.{name} = v {sign} 1"]
    if found := re.fullmatch(r"if t == 1: S\.a = S\.x", line):
        return ["if t == 1: v = S.x", "if t == 1: S.a = v"] if found else []
    if re.fullmatch(r"S\.x = len\(N\)", line):
        return ["v = len(N)", "S.x = v"]
    return [line]


def interleavings(one: list[CodeType], two: list[CodeType], done: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """The orders of the steps of both, as the thread of each step."""
    taken = done.count(0), done.count(1)
    if taken == (len(one), len(two)):
        yield done
    for thread, code in enumerate((one, two)):
        if taken[thread] < len(code):
            yield from interleavings(one, two, (*done, thread))


def outcome_of(order: tuple[int, ...], code: tuple[list[CodeType], list[CodeType]]) -> str:
    """The outcome of an order; "" if a step of it would block."""
    shared = {"S": SimpleNamespace(x=0, y=0, a=0, b=0), "D": {}, "N": [], "L": Lock(), "M": Lock(), "G": 0}
    own: list[dict[str, Any]] = [{}, {}]
    at = [0, 0]
    for number, thread in enumerate(order):
        step = code[thread][at[thread]]
        if blocks(step, shared):
            others = [code[1 - thread][at[1 - thread]]] if at[1 - thread] < len(code[1 - thread]) else []
            return DEADLOCK if number and all(blocks(each, shared) for each in others) else ""
        at[thread] += 1
        names = {**shared, **own[thread]}
        exec(step, names)
        shared["G"] = names["G"]
        own[thread] = {name: names[name] for name in ("t", "v") if name in names}
    s: Any = shared["S"]
    d: Any = shared["D"]
    return f"returned {(s.x, s.y, s.a, s.b, sorted(d.items()), shared['N'], shared['G'])!r}"


def blocks(step: CodeType, shared: dict[str, Any]) -> bool:
    lock = {"L.acquire()": "L", "M.acquire()": "M"}.get(step.co_filename)
    return lock is not None and bool(shared[lock].held)


def columns(text: str) -> tuple[list[str], list[str]]:
    one, two = zip(*(line.split(" | ") for line in text.splitlines()), strict=True)
    return list(one), list(two)


def expected(text: str) -> set[str]:
    """The outcomes of all interleavings, by a plain enumeration."""
    one, two = ([compile(step, step, "exec") for line in side for step in steps_of(line)] for side in columns(text))
    return {outcome_of(order, (one, two)) for order in interleavings(one, two)} - {""}


def main_of(name: str, folder: Path, monkeypatch: Patch) -> Any:  # Any: a coroutine function
    one, two = ("\n    ".join(side) for side in columns(PAIRS[name]))
    module = f"pairs_{re.sub('[^a-z]', '_', name.lower())}"
    (folder / f"{module}.py").write_text(PROGRAMS["a pair"].format(one=one, two=two), encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.chdir(folder)
    return import_module(module).main


@pytest.mark.short("a message without a lock", why="seconds each")
@pytest.mark.parametrize("name", PAIRS)
def test_the_outcomes_are_those_of_all_interleavings(name: str, tmp_path: Path, monkeypatch: Patch) -> None:
    """Of the programs with locks, which have most schedules, 6,000 at most are made."""
    main = main_of(name, tmp_path, monkeypatch)
    found = explore(main, every=True, preempt=True, keep_going=True, runs=6000)
    assert "every schedule was run" in found.bound or "acquire" in PAIRS[name]
    assert {DEADLOCK if text.startswith(DEADLOCK) else text for text in found.outcomes} == expected(PAIRS[name])


def test_the_enumeration_sees_the_races() -> None:
    assert expected(PAIRS["a lost update"]) == {f"returned ({n}, 0, 0, 0, [], [], 0)" for n in (1, 2)}
    assert DEADLOCK in expected(PAIRS["two locks in two orders"])
    assert len(expected(PAIRS["a lock around both"])) == 1


def test_a_data_race_is_named_and_its_token_repeats_it(tmp_path: Path, monkeypatch: Patch) -> None:
    (tmp_path / "race.py").write_text(PROGRAMS["a counter"], encoding="utf-8")

    def loopspec(*words: str) -> CompletedProcess[str]:
        return python(
            "-m", "model_tests.commands.cli", *words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )

    assert loopspec("explore", "race.py:main", "--runs=20").returncode == 0
    said = loopspec("explore", "race.py:main", "--preempt").stdout
    assert re.search(r"counter\.n: bump 2 (reads|writes) it \(line 5\) before bump 1 writes it \(line 5\)", said), said
    assert "threads take turns at accesses of shared state, too" in said
    (replay,) = re.findall("^replay: loopspec (.+)$", said, re.M)
    again = loopspec(*replay.split())
    assert again.returncode == 1
    assert "counter.n: bump 2" in again.stdout
    token = replay.split()[-1]
    assert loopspec("explore", "race.py:main", "--token", token).returncode == 1
    assert "--preempt: loopspec explore repeats it" in loopspec("run", "race.py:main", "--token", token).stderr
    with pytest.raises(TokenError, match="--preempt"):
        simulate(main_of("a lost update", tmp_path, monkeypatch), token=token)


@pytest.mark.long("seconds; that of asyncio is in the short form")
def test_a_data_race_of_a_thread_and_a_task_of_trio(tmp_path: Path, monkeypatch: Patch) -> None:
    (tmp_path / "on_trio.py").write_text(PROGRAMS["a thread and a task"], encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    main = import_module("on_trio").main
    assert explore(main, runtime="trio").failure is None
    found = explore(main, runtime="trio", preempt=True)
    assert found.failure is not None, found
    assert re.search("main +bump", found.report())
    assert explore(main, runtime="trio", token=found.failure.token).failure is not None


def test_it_is_for_asyncio_and_trio_and_any_order() -> None:
    async def main() -> None: ...

    with pytest.raises(ValueError, match="preempt is for threads of programs of asyncio and trio, under order 'any'"):
        explore(main, preempt=True, order="fifo")
    with pytest.raises(TypeError, match="preempt"):
        explore(main, preempt=1)  # type: ignore[arg-type]
