"""Each harness states its claim and has its row in the table; a short hunt has no outcome without a reason."""

import pytest

from impl.net.simulated.faults import fault_of

from ...libraries.finding import FINDINGS, FOLDER
from ...libraries.harness import Harness, harness, places
from ...libraries.hunt import TABLE
from ...libraries.searches import RUNS, RUNS_SLOW, hunt

NAMES = list(places())
#: The runs of a short hunt.
SHORT, SHORT_SLOW, LONGER, LONGER_SLOW = 30, 7, 1000, 14


def made(name: str) -> Harness:
    found = harness(name)
    if isinstance(found, str):
        pytest.skip(f"not run: {found}")
    return found


def cells(name: str) -> list[str]:
    return TABLE.read()[name].strip("| ").split(" | ")


@pytest.mark.parametrize("name", NAMES)
def test_a_short_hunt_finds_what_is_known(name: str, full: bool) -> None:
    found = made(name)
    if found.slow:
        runs = LONGER_SLOW if full else SHORT_SLOW
    else:
        runs = LONGER if full else SHORT
    assert hunt(found, runs).unexplained() == []


@pytest.mark.parametrize("name", NAMES)
def test_the_table_has_its_row(name: str) -> None:
    found = made(name)
    _, library, holds, runs, *_ = cells(name)
    assert found.name == name
    assert library == found.named, "hunt again: the row is of another version"
    assert holds == found.holds
    assert found.holds.endswith("."), "the docstring begins with one sentence: what must hold."
    assert int(runs.replace(",", "")) == (RUNS_SLOW if found.slow else RUNS)
    assert set(found.finds.values()) <= {finding.name for finding in FINDINGS}


@pytest.mark.parametrize("name", NAMES)
def test_each_fault_is_a_known_one(name: str) -> None:
    for fault in filter(None, made(name).faults.split(",")):
        fault_of(fault, one_in=2)


def test_the_table_has_no_other_rows() -> None:
    assert sorted(TABLE.read()) == NAMES


def test_no_harness_is_overlooked() -> None:
    """Their names are read from the text, as a library need not be installed."""
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*/harnesses.py")]
    assert sum(text.count("\n@harness_of(") for text in texts) == len(NAMES)


def test_the_libraries_are_many() -> None:
    assert len({cells(name)[1] for name in TABLE.read()}) >= 30
