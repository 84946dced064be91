"""Each harness states its claim and has its row in the table; a short hunt has no outcome without a reason."""

from __future__ import annotations

import pytest

from impl.net.simulated.faults import fault_of

from ...findings.catalogue import FINDINGS
from ...hunt.harness import Harness, harness, modules
from ...hunt.searches import RUNS, RUNS_SLOW, hunt
from ...hunt.table import TABLE

MODULES = list(modules())
#: The runs of a short hunt.
SHORT, SHORT_SLOW, LONGER, LONGER_SLOW = 30, 7, 1000, 14


def made(module: str) -> Harness:
    found = harness(module)
    if isinstance(found, str):
        pytest.skip(f"not run: {found}")
    return found


def cells(name: str) -> list[str]:
    return TABLE.read()[name].strip("| ").split(" | ")


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.rpartition(".")[2])
def test_a_short_hunt_finds_what_is_known(module: str, full: bool) -> None:
    found = made(module)
    if found.slow:
        runs = LONGER_SLOW if full else SHORT_SLOW
    else:
        runs = LONGER if full else SHORT
    assert hunt(found, runs).unexplained() == []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.rpartition(".")[2])
def test_the_table_has_its_row(module: str) -> None:
    found = made(module)
    name, library, holds, runs, *_ = cells(found.name)
    assert name == module.rpartition(".")[2]
    assert library == found.named, "hunt again: the row is of another version"
    assert holds == found.holds
    assert found.holds.endswith("."), "the docstring begins with one sentence, LIBRARY: what must hold."
    assert int(runs.replace(",", "")) == (RUNS_SLOW if found.slow else RUNS)
    assert set(found.finds.values()) <= {finding.name for finding in FINDINGS}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.rpartition(".")[2])
def test_each_fault_is_a_known_one(module: str) -> None:
    for name in filter(None, made(module).faults.split(",")):
        fault_of(name, one_in=2)


def test_the_table_has_no_other_rows() -> None:
    assert sorted(TABLE.read()) == sorted(module.rpartition(".")[2] for module in MODULES)


def test_the_libraries_are_many() -> None:
    assert len({cells(name)[1] for name in TABLE.read()}) >= 30
