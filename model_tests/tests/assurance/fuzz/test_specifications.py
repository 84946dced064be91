"""The fuzz of the kit: random specifications on which the search, the prover and an enumeration must agree."""

from __future__ import annotations

from collections import Counter

import pytest

from ....assurance.fuzz.specifications.generator import generated
from ....assurance.fuzz.specifications.planted import MOST, PLANTED, found_after
from ....assurance.fuzz.specifications.rounds import counted, lacks, numbered, played, small


def test_no_specification_is_judged_wrongly(full: bool) -> None:
    counts: Counter[str] = Counter()
    for of, found in played(0, range(1_000 if full else 40)):
        counted(counts, of, found)
        assert not found.wrong, f"{found.wrong}\nstate: {of.state}\n{of.text}"
    assert not lacks(counts), counts


def test_a_specification_is_a_function_of_its_number() -> None:
    assert generated(1, 7) == generated(1, 7) != generated(2, 7)


@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.long("seconds each")
def test_a_planted_error_is_found(name: str) -> None:
    assert found_after(name, 0) is not None, f"not within {MOST:,}"


@pytest.mark.long("ten seconds")
def test_a_specification_that_is_judged_wrongly_shrinks() -> None:
    with PLANTED["search: step properties are not asked"]():
        of, found = numbered(0, 0)
        less = small(of)
        assert found.wrong
    assert len(less.text.splitlines()) <= 14, less.text
    assert "@x.step" in less.text
