"""Equal runs are equal in several processes, and where the addresses of objects differ.

Or the token of one is refused in another process with the reason.
"""

import asyncio
import json
import os
import subprocess
import sys
from typing import Final, NamedTuple

import pytest

from impl.bridges.asyncio import in_order
from impl.bridges.asyncio.run import simulate

from ...dev.pythons import ROOT
from . import Program, values
from .runs import FILES, ORDERS

#: One line of the command's output.
Line = dict[str, str]


class Process(NamedTuple):
    """The settings that differ between processes."""

    hash_seed: str
    junk: int
    threshold: int
    direction: str

    def run(self, files: list[str], tokens: str = "") -> list[Line]:
        """Run the programs of the files; with lines of tokens, repeat those runs."""
        command = [
            sys.executable,
            "-m",
            "model_tests.tests.determinism.runs",
            str(self.junk),
            str(self.threshold),
        ]
        ran = subprocess.run(
            [*command, self.direction, *files],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": self.hash_seed},
            input=tokens,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        return [json.loads(line) for line in ran.stdout.splitlines()]


PROCESSES: Final = (
    Process("1", 0, 700, "forwards"),
    Process("2", 3001, 3, "backwards"),
    Process("77", 50_000, 100_000, "forwards"),
)


def tokens_of(lines: list[Line]) -> str:
    return "\n".join(f"{line['name']} {line['order']} {line['token']}" for line in lines)


def by_run(lines: list[Line]) -> dict[tuple[str, str], Line]:
    return {(line["name"], line["order"]): line for line in lines}


def test_programs_of_the_standard_library_run_equally_in_two_processes(full: bool) -> None:
    if full:
        pytest.skip("not run: the test of every program in three processes does more")
    first, second = (by_run(process.run(["values"])) for process in PROCESSES[:2])
    assert len(first) >= 100 * len(ORDERS)
    assert first == second


@pytest.mark.long("160 programs and more in three processes")
def test_every_program_runs_equally_in_three_processes() -> None:
    files = [file for file in FILES if file != "refused"]
    first, second, third = (by_run(process.run(files)) for process in PROCESSES)
    assert len(first) >= 160 * len(ORDERS)
    assert first == second
    assert first == third
    repeated = by_run(PROCESSES[1].run(files, tokens_of(list(first.values()))))
    assert {run: line.get("outcome") for run, line in repeated.items()} == {
        run: line["outcome"] for run, line in first.items()
    }


def test_a_run_that_depends_on_hashes_or_addresses_is_refused_elsewhere() -> None:
    one, other, _ = PROCESSES
    lines = one.run(["refused"])
    assert len(lines) == 2 * len(ORDERS)
    for line in other.run(["refused"], tokens_of(lines)):
        assert "its events differ; " in line["refused"], line
        why = "PYTHONHASHSEED is 2 in this process", "the program depends on more than its choices"
        assert any(each in line["refused"] for each in why), line


#: Programs that depend on the order of a set; values.py has others, which two processes run equally.
PROGRAMS: list[Program] = [
    values.as_completed_of_coroutines,
    values.as_completed_over_a_set,
    values.as_completed_without_waiting,
    values.as_completed_of_an_unordered_mixture,
    values.set_of_tasks,
    values.set_that_is_waited_for,
    values.group_that_is_cancelled,
]


def runs_of(program: Program, seed: int = 1) -> set[str]:
    """Different runs, and results, of 8 attempts between which objects of all sizes are kept."""
    kept: list[object] = []
    seen: set[str] = set()
    for attempt in range(8):
        kept += [bytearray(size) for size in range(0, 600, 7 + attempt)]
        kept += [values.at_once(n) for n in range(attempt)]
        run = simulate(program, seed=seed)
        seen.add(f"{run.digest} {run.outcome()}")
        kept.append(run)
    for each in kept:
        if asyncio.iscoroutine(each):
            each.close()
    return seen


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_addresses_of_objects_do_not_matter(program: Program) -> None:
    assert len(runs_of(program)) == 1


def test_without_the_replacement_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_order, "_tasks_of", set)
    assert len(runs_of(values.as_completed_without_waiting)) > 1
