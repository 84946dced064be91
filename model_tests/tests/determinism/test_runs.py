"""Equal runs are equal in several processes, or the token of one is refused in another with the reason."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Final, NamedTuple

import pytest

from ...dev.pythons import ROOT
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
    files = ["vectors", "values"]
    first, second = (by_run(process.run(files)) for process in PROCESSES[:2])
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
