"""The fuzz of the kit: random specifications on which the search, the prover and an enumeration must agree.

And the corpus of specifications: each gets its right verdicts, or a refusal in one line with file and line.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from spec.kit.prove import admission

from ...assurance.fuzz.specifications.comparison import agrees, checked, proved
from ...assurance.fuzz.specifications.corpus import CorpusItem, items
from ...assurance.fuzz.specifications.generator import generated
from ...assurance.fuzz.specifications.planted_errors import MOST, PLANTED, found_after
from ...assurance.fuzz.specifications.rounds import counted, lacks, numbered, played, small
from ..fixtures import Patch


def test_no_specification_is_judged_wrongly(full: bool) -> None:
    counts: Counter[str] = Counter()
    for of, found in played(0, range(200 if full else 10)):
        counted(counts, of, found)
        assert not found.wrong, f"{found.wrong}\nstate: {of.state}\n{of.text}"
    assert not lacks(counts), counts


def test_a_specification_is_a_function_of_its_number() -> None:
    assert generated(1, 7) == generated(1, 7) != generated(2, 7)


#: Found after half a minute to three minutes of proofs: `make fuzz-spec ARGS=--planted` plants all.
SLOWLY_FOUND = {
    "prove: [1:] of a sequence is the whole of it",
    "prove: a set without another is the whole of it",
    "prove: rebinding and keywords are lost",
    "prove: what chooses is possible",
}


@pytest.mark.parametrize("name", [name for name in PLANTED if name not in SLOWLY_FOUND])
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


ITEMS = list(items())
#: Of these the proofs take a second to a quarter of a minute each.
LONG = ("pool", "rw", "b33_pairs_of_numbers", "fuzz_pattern_of_few", "a30_map_to_sets")
#: Of the others, the short form proves each n-th: half a second each.
SAMPLE = 8


def verdict(command: str, item: CorpusItem, folder: Path) -> str:
    path = folder / f"item_{item.name}.py"
    path.write_text(item.text, "utf-8")
    return {"check": checked, "prove": proved}[command](path)


@pytest.mark.parametrize(
    ("item", "command"),
    [
        pytest.param(
            item,
            command,
            id=f"{item.name}-{command}",
            marks=[pytest.mark.long("its proofs")]
            * (command == "prove" and (item.name in LONG or number % SAMPLE > 0)),
        )
        for number, item in enumerate(ITEMS)
        for command in ("check", "prove")
    ],
)
def test_a_verdict_is_right(item: CorpusItem, command: str, full: bool, tmp_path: Path, monkeypatch: Patch) -> None:
    if not full:  # no verdict rests on more
        monkeypatch.setattr("spec.kit.search.MANY", 10_000)
        monkeypatch.setattr(admission, "OWN", admission.OWN._replace(samples=2))
    right = getattr(item, command)
    if command not in item.todo:
        assert agrees(found := verdict(command, item, tmp_path), right), f"{found}, not: {right}"
        return
    try:
        found = verdict(command, item, tmp_path)
    except Exception as error:  # a traceback is wrong, too
        found = repr(error)
    assert not agrees(found, right), f"right now: write `{command}:` for `todo-{command}:`"


def test_no_item_is_proved_that_a_search_finds_broken() -> None:
    assert not [item.name for item in ITEMS if item.prove == "proved" and item.check.startswith("broken")]
    assert len({item.name for item in ITEMS}) == len(ITEMS)


@pytest.mark.parametrize("head", ["check: ok", "prove: proved", "check: ok\ntodo-check: ok\nprove: proved"])
def test_an_item_has_one_verdict_of_each_command(head: str, tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text(f"The items.\n\n### one\n{head}\n@x.invariant\n", "utf-8")
    with pytest.raises(ValueError, match=r"corpus\.txt:3: one: write one line"):
        list(items(path))
