"""Mutants: each is caught, the table names the checker, and its programs for the kit are short.

The other columns of the table are repeated beside the tests of those checks.  `--full` makes the cells of some mutants
anew; `python -m model_tests.implementations` makes all of them, half a minute each.
"""

import gc
import re
from functools import cache

import pytest

from ...conformance.attribute import operations
from ...conformance.kit import run
from ...conformance.loops.garbage import left_behind
from ...conformance.report import rules
from ...implementations.all_mutants import BY_NAME, MUTANTS
from ...implementations.checks import kit
from ...implementations.corpus import corpus
from ...implementations.detection import COLUMNS, Found
from ...implementations.mutant import Mutant
from .caught_by import TABLE, caught_by

#: A program of the table has at most so many operations: two waiters, their lock, a notification and a cancel.
OPERATIONS_MAX = 11
#: With --full: one mutant in so many.
SAMPLE = 8
#: Defects of the five texts' sketches, by their numbers in the walk up the ladder, and those that no mutant has.
SKETCHES = {"F": 8, "T": 11, "Q": 5, "S": 4, "C": 9, "L": 3}
NO_MUTANT = {
    "T11": "a coroutine that raises CancelledError is cancelled in asyncio as well",
    "L1": "no general check looks at the other callbacks of what ends run_until_complete()",
    "L2": "it was found by reading; run_until_complete() of impl is tested with its rules",
}


def test_the_table_has_every_mutant_and_each_is_caught() -> None:
    assert sorted(TABLE) == sorted(mutant.name for mutant in MUTANTS)
    assert [name for name, found in TABLE.items() if not found] == []
    assert all(list(found) == [column for column in COLUMNS if column in found] for found in TABLE.values())


def test_every_mutant_has_a_name_a_known_rule_and_says_what_is_wrong() -> None:
    assert len(BY_NAME) == len(MUTANTS) >= 180
    assert [mutant.name for mutant in MUTANTS if mutant.rule not in rules()] == []
    assert [mutant.name for mutant in MUTANTS if not (mutant.wrong.__doc__ and mutant.source)] == []


def test_every_defect_of_the_sketches_is_a_mutant_or_has_a_reason() -> None:
    numbers = {f"{kind}{n}" for kind, most in SKETCHES.items() for n in range(1 - (kind == "S"), most + 1)}
    found = {number for mutant in MUTANTS for number in re.findall(r"\b[FTQSCL]\d+\b", mutant.source)}
    assert found == numbers - set(NO_MUTANT)


@cache
def caught(every: int) -> dict[str, bool]:
    """Which mutants, of `every` so many one, their programs catch.

    Together, because collecting garbage takes longer than playing them.
    """
    names = [mutant.name for mutant in MUTANTS if "kit" in TABLE[mutant.name]]
    with left_behind():
        return {name: kit.again(BY_NAME[name], TABLE[name]["kit"]) for name in names[::every]}


@caught_by("kit")
def test_a_short_program_catches_it(mutant: Mutant, found: Found, full: bool) -> None:
    """The program of each sixth mutant is played, or of all in full."""
    assert operations(found["program"]) == found["operations"] <= OPERATIONS_MAX
    assert caught(1 if full else 6).get(mutant.name, not full)


@pytest.mark.parametrize("mutant", MUTANTS[::SAMPLE], ids=lambda mutant: mutant.name)
@pytest.mark.long("half a minute for each mutant")
def test_the_table_is_what_the_checks_find(mutant: Mutant, caplog: pytest.LogCaptureFixture) -> None:
    found = {name: column.find(mutant) for name, column in COLUMNS.items()}
    assert [name for name, came in found.items() if came is not None] == list(TABLE[mutant.name])
    gc.collect()
    caplog.clear()  # loops report the tasks and errors that a mutant has left behind


@caught_by("kit")
@pytest.mark.long("some seconds for each mutant")
def test_the_command_finds_it(mutant: Mutant, found: Found, full: bool) -> None:
    """`loopspec conform FILE.py:CLASS`, on its text, for the rule that the table names."""
    sample = MUTANTS[::SAMPLE] if full else (BY_NAME["sleep_returns_nothing"],)
    if mutant not in sample:
        pytest.skip("some seconds for each mutant")
    with corpus("mutants")[mutant.name].subject() as subject:
        report = run(subject, [found["rule"]])
    assert [verdict.rule for verdict in report.broken] == [found["rule"]]
