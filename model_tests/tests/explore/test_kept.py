"""Module-level state: a program is reported if its later runs do not begin as the first one did, and no other."""

from __future__ import annotations

import pickle
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from impl.explore import KeepsState, explore
from impl.explore.command import main
from impl.explore.module_state.snapshot import ModuleState
from impl.explore.reduction.program import execute

from ..fixtures import Captured, Patch
from .programs import FILES

#: A race on `{place}`: a read before the write fails, unless a run before has written.
RACE = """
import asyncio
{head}

async def load():
    await asyncio.sleep(0)
    {write}

async def sell():
    await asyncio.sleep(0)
    assert {read}

async def main():
    {first}
    await asyncio.gather(load(), sell())
"""

SLOTS = "class Shop:\n  __slots__ = ('price',)\n  def __init__(self):\n    self.price = 0\nshop = Shop()"

#: A holder of state: its definition, a write, a read, and the name that is reported.
KEPT = {
    "a dict": ("prices = {}", "prices['tea'] = 2", "'tea' in prices", "prices"),
    "a dict in a tuple": ("prices = ({},)", "prices[0]['tea'] = 2", "prices[0]", "prices"),
    "a list": ("prices = []", "prices.append(2)", "prices", "prices"),
    "a set": ("prices = set()", "prices.add(2)", "prices", "prices"),
    "a deque": ("from collections import deque\nprices = deque()", "prices.append(2)", "prices", "prices"),
    "a number": ("price = 0", "global price; price = 2", "price", "price"),
    "an object": ("class Shop:\n    price = 0\nshop = Shop()", "shop.price = 2", "shop.price", "shop"),
    "an object with slots": (SLOTS, "shop.price = 2", "shop.price", "shop"),
    "a class": ("class Shop:\n    price = 0", "Shop.price = 2", "Shop.price", "Shop"),
    "an event": ("ready = asyncio.Event()", "ready.set()", "ready.is_set()", "ready"),
    "a queue": ("ready = asyncio.Queue()", "ready.put_nowait(1)", "ready.qsize()", "ready"),
    "another module": ("import kept_store", "kept_store.prices[1] = 2", "kept_store.prices", "kept_store.prices"),
}  # fmt: skip


def program(folder: Path, first: str, head: str, write: str, read: str) -> str:
    path = folder / "shop.py"
    path.write_text(RACE.format(first=first, head=head, write=write, read=read), encoding="utf-8")
    (folder / "kept_store.py").write_text("prices = {}\n", encoding="utf-8")
    return f"{path}:main"


@pytest.mark.parametrize("kind", KEPT)
def test_state_that_hides_a_race(kind: str, tmp_path: Path, capsys: Captured, monkeypatch: Patch) -> None:
    monkeypatch.delitem(sys.modules, "kept_store", raising=False)
    *parts, name = KEPT[kind]
    assert main([program(tmp_path, "pass", *parts), "--runs", "20"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("main fails: AssertionError")
    assert f"runs change {name} at module level" in out.splitlines()[-1]
    assert err == ""


@pytest.mark.parametrize(("first", "head", "write", "read"), [
    ("prices.clear()", "prices = {'tea': 1}", "prices['tea'] = 2", "prices is not None"),
    ("pass", "calls = 0", "global calls; calls += 1", "calls >= 0"),
    ("pass", "seen = []", "seen.append(1)", "True"),
    ("pass", "known = {}", "known.setdefault(1, 2)", "known.setdefault(1, 2)"),
])  # fmt: skip
@pytest.mark.parametrize("arguments", [["--runs", "20"], ["--every"]])
def test_state_that_hides_nothing_is_not(
    first: str, head: str, write: str, read: str, arguments: list[str], tmp_path: Path, capsys: Captured
) -> None:
    assert main([program(tmp_path, first, head, write, read), *arguments]) == 0
    assert "keeps state" not in "".join(capsys.readouterr())


@pytest.mark.parametrize("arguments", [["--runs", "20", "--jobs", "2"], ["--seed", "3", "--runs", "7"]])
def test_a_hidden_failure_has_a_token(arguments: list[str], tmp_path: Path, capsys: Captured) -> None:
    *parts, _ = KEPT["a dict"]
    what = program(tmp_path, "pass", *parts)
    assert main([what, *arguments]) == 1
    (token,) = re.findall(r"--token (\S+)", capsys.readouterr().out)
    assert main([what, "--token", token]) == 1
    assert capsys.readouterr().out.startswith("main fails: AssertionError")


def test_a_search_of_all_says_that_runs_differ(tmp_path: Path, capsys: Captured) -> None:
    *parts, _ = KEPT["a dict"]
    assert main([program(tmp_path, "pass", *parts), "--every"]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    for words in ("keeps state between runs", "make or clear all that a run changes", "Run(", "prices"):
        assert err.count(words) == (words != "Run("), words


def loaded(text: str, name: str = "kept_program") -> ModuleType:
    return execute(text, f"/{name}.py", name)


def test_a_run_that_goes_another_way_at_the_end_is_reported() -> None:
    """A variable around the program is in no module-level name."""
    calls = 0

    async def later() -> int:
        nonlocal calls
        calls += 1
        return min(calls, 2)

    with pytest.raises(KeepsState, match="the first run ended with 'returned 1', and, made again at the end"):
        explore(later, runs=2)
    explore(later, runs=2)


@pytest.mark.parametrize("arguments", [{}, {"every": True, "reduce": False}, {"every": True}])
def test_a_result_that_is_another_one_each_time_is_no_kept_state(arguments: dict[str, bool]) -> None:
    module = loaded(
        "import asyncio\ncalls = 0\nticks = iter(range(1000))\nasync def main():\n    global calls\n    calls += 1\n"
        "    await asyncio.gather(asyncio.sleep(0), asyncio.sleep(0))\n    return next(ticks)\n"
    )
    found = explore(module.main, **arguments)  # type: ignore[arg-type]
    assert len(found.outcomes) == found.runs > 1


def test_a_failure_that_needs_the_state_of_earlier_runs_is_reported_as_that() -> None:
    module = loaded("calls = []\nasync def main():\n    calls.append(1)\n    assert len(calls) < 3\n")
    with pytest.raises(KeepsState, match="run 3 ended with 'AssertionError', and, made again, with 'returned None'"):
        explore(module.main)


def test_what_a_program_has_collected_is_there_afterwards() -> None:
    module = loaded(
        "import collections, asyncio\ncounts = collections.Counter()\n"
        "async def main():\n    counts[1] += 1\n    await asyncio.sleep(0)\n"
    )
    explore(module.main, runs=7)
    assert module.counts == Counter({1: 7})


def test_the_first_state_can_be_entered_and_left() -> None:
    module = loaded(
        "import random\nrng = random.Random(1)\nold = {1: [2]}\nclass C: pass\nthing = C()\n\nasync def main(): pass\n"
    )
    state = ModuleState(module.main)
    assert state.changed() == []
    first = module.rng.getstate()
    module.rng.random()
    module.old[1].append(3)
    module.thing.name = "new"
    vars(module)["added"] = 1
    assert sorted(state.changed()) == ["added", "old", "rng", "thing"]
    with state.at_first():
        assert (module.old, vars(module.thing), hasattr(module, "added")) == ({1: [2]}, {}, False)
        assert module.rng.getstate() == first
        module.old.clear()
    assert (module.old, module.thing.name, module.added) == ({1: [2, 3]}, "new", 1)
    assert module.rng.getstate() != first


def test_a_method_that_an_oracle_adds_stays() -> None:
    module = loaded("class C: pass\nclass D(C): pass\n\nasync def main(): pass\n")
    state = ModuleState(module.main)
    module.D.tick = lambda self: None
    assert state.changed() == []
    state.restore()
    assert "tick" in vars(module.D)


def test_the_error_of_a_process_says_the_same_here() -> None:
    error = KeepsState("two runs differ", ["prices"])
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


class Proxy:
    """As web frameworks have them: to ask for its class fails outside of a request."""

    @property
    def __class__(self) -> type:
        raise RuntimeError("outside of a request")

    @__class__.setter
    def __class__(self, value: type) -> None: ...


def test_no_code_of_the_program_runs_and_large_tables_are_left_out() -> None:
    text = "table = list(range(5_001))\nlarge = tuple(table)\nasync def main(): table.append(1)\n"
    module = loaded(text)
    vars(module)["request"] = Proxy()
    state = ModuleState(module.main)
    module.table.append(1)
    assert state.changed() == []


#: Fails in asyncio's own order, until a run has filled the dict; `load` fills it after the failure, too.
FIRST_ONLY = FILES["first.py"]


@pytest.mark.parametrize("arguments", [[], ["--every"]])
def test_a_failure_is_simpler_in_its_state(arguments: list[str], tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "shop.py"
    path.write_text(FIRST_ONLY, encoding="utf-8")
    assert main([f"{path}:main", *arguments]) == 1
    out, _ = capsys.readouterr()
    assert "main fails: KeyError: 'tea'" in out
    assert "14 reads prices['tea'], raises KeyError: 'tea'" in out
    assert "prices['tea']: sell reads it (line 14) before load writes it (line 10)" in out
    (token,) = (line.removeprefix("token: ") for line in out.splitlines() if line.startswith("token: "))
    assert main([f"{path}:main", "--token", token]) == 1
