"""The line that iterates over a set of objects in the order of their addresses, named where runs differ."""

import asyncio
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from impl.bridges.asyncio.run import simulate
from impl.explore import KeepsState, explore
from impl.sim.set_order import first_iteration
from impl.sim.token import TokenError

HEAD = """
from weakref import WeakSet
class Job: pass
class Number(int): pass
kept = [Job(), Job()]
class Box:
    def __init__(self): self.jobs, self.one, self.numbers = set(kept), {kept[0]}, {Number(1), Number(2)}
box, names, weak, order = Box(), {"a", "b"}, WeakSet(kept), dict.fromkeys(kept)
def run():
"""
#: The body of `run`, and whether it iterates over such a set, in its last line.
BODIES = {
    "for each in box.jobs: pass": True,
    "[each for each in box.jobs if each]": True,
    "jobs = frozenset(kept)\n    list(jobs)": True,
    "max(*box.jobs, key=id)": True,
    "box.jobs.pop()": True,
    "for number, each in enumerate(box.jobs.copy()): pass": True,
    "[*weak]": True,
    "sum(1 for job in box.jobs)": True,
    "for each in sorted(box.jobs, key=id): pass": False,
    "len(box.jobs), kept[0] in box.jobs": False,
    "for each in box.one: pass": False,
    "for each in box.numbers | names: pass": False,
    "for each in order: pass": False,
    "for each in kept: pass": False,
}


@pytest.mark.parametrize("body", BODIES)
def test_a_line_that_iterates(body: str, tmp_path: Path) -> None:
    file, text = tmp_path / "program.py", f"{HEAD}    {body}\n"
    file.write_text(text, encoding="utf-8")
    names: dict[str, Callable[[], object]] = {}
    exec(compile(text, str(file), "exec"), names)
    _, place = first_iteration(names["run"])
    assert place.endswith(f"program.py, line {len(text.splitlines())}") if BODIES[body] else not place


class Job:
    """It hashes by its address."""

    number = 0


class Jobs(list[set[Job]]):
    """Sets in other orders each time, as those of other processes are."""

    def made(self) -> set[Job]:
        self.append({Job() for _ in range(8)})
        # Also where the addresses are those of the run before.
        for number, job in enumerate(self[-1], len(self)):
            job.number = number % 8
        return self[-1]


def test_runs_and_tokens_that_differ_name_it() -> None:
    jobs = Jobs()

    async def main() -> None:
        made, seen = jobs.made(), []
        for job in made:
            await asyncio.sleep(job.number)
            seen.append(job.number)
        assert seen[0] not in (3, 4), seen

    token = simulate(main).token
    place = r"iterates over a set of objects in order of their addresses \(\S+test_set_order.py, line \d+\)"
    with pytest.raises(TokenError, match=f"{place}; now the token is"):
        simulate(main, token=token)
    with pytest.raises(KeepsState, match=f"{place}: run "):
        explore(main)


def test_a_token_tells_chance_from_change() -> None:
    """A program that has changed makes the same run twice; one that depends on the time of day does not."""
    seconds = iter((1, 2, 2, 3, 4, 5))

    async def main() -> None:
        await asyncio.sleep(next(seconds))

    token = simulate(main).token
    with pytest.raises(TokenError, match="the program has changed since"):
        simulate(main, token=token)
    with pytest.raises(TokenError, match="made once more, it is another run again: the program depends on more"):
        simulate(main, token=token)


@pytest.mark.parametrize(("fails", "said"), [
    (lambda calls: calls == 5, "but not two in a row: .* or loopspec is wrong: run 5 ended with"),
    (lambda calls: calls % 2 == 0, "depends on more than its choices, also two in a row: run "),
])  # fmt: skip
def test_the_program_is_accused_only_if_two_runs_in_a_row_differ(fails: Callable[[int], bool], said: str) -> None:
    calls = count(1)

    async def main() -> None:
        assert not fails(next(calls))

    with pytest.raises(KeepsState, match=said):
        explore(main)
