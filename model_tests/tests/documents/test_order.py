"""The table of the order of events: each row is shown by its program, on asyncio and on the reference."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from spec.promises import PROMISES

from ...conformance.report import rules
from ...documents.order.command import DOCUMENT, document, main
from ...documents.order.pair import IN_ORDER, EventPair, in_reference, on_asyncio, pairs
from ...programs.releases import THIS

PAIRS = [pair for pair in pairs() if pair.since <= THIS]
#: Rows with more runs than the others; those of getters, and of a notify of all, are of their kind.
SLOW = {"waiters of a Condition that are notified one by one", "waiting putters of a Queue"}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_asyncio_has_the_order(pair: EventPair) -> None:
    seen = on_asyncio(pair)
    assert (sorted(seen) if "unordered" in pair.marks else seen) == IN_ORDER


@pytest.mark.parametrize("pair", [
    pytest.param(pair, marks=[pytest.mark.long("a second of runs")] * (pair.name in SLOW))
    for pair in PAIRS if "asyncio" not in pair.marks
], ids=lambda pair: pair.name)  # fmt: skip
def test_a_promised_order_is_that_of_each_allowed_run_and_an_accident_is_not(pair: EventPair) -> None:
    if pair.standing == "accident":
        assert ("kept" in pair.marks) is all(run == IN_ORDER for run in in_reference(pair))
        return
    for documented in (False, True)[: 1 + (pair.standing == "documented")]:
        assert all(run == IN_ORDER for run in in_reference(pair, documented))


def test_only_a_lock_is_promised_to_be_fair() -> None:
    """Of semaphores and conditions CPython's tests say more than the documentation."""
    settled = [pair for pair in PAIRS if pair.standing == "settled" and "waiter" in pair.name]
    free = [pair.name for pair in settled if any(run != IN_ORDER for run in in_reference(pair, True))]
    assert free == [pair.name for pair in settled if "Event" not in pair.name]
    assert len(free) == 3


def test_the_kit_holds_nothing_but_documented_and_settled_orders_against_anyone() -> None:
    """The standing of a row is that of its rule; an accident has none."""
    standing = {rule: each[0] for rule, each in rules().items()} | {each.rule: each.standing for each in PROMISES}
    for pair in pairs():
        assert standing.get(pair.rule, pair.standing) == pair.standing
        assert bool(pair.source) or pair.standing == "accident"
        assert not pair.rule or pair.standing != "accident"
    assert min(Counter(pair.standing for pair in pairs()).values()) >= 10
    assert len({pair.name for pair in pairs()}) == sum(1 for _ in pairs()) >= 60


def test_the_command_lists_the_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "documented  3.11  LOOP-1      call_soon twice"
    file = tmp_path / "order.json"
    assert main(["--json", str(file)]) == 0
    rows = json.loads(file.read_text(encoding="utf-8"))
    assert len(rows) == len(lines)
    assert rows[0]["standing"] == dict.fromkeys(["3.11", "3.12", "3.13", "3.14", "3.15"], "documented")
    assert main(["--xml"]) == 2


@pytest.mark.parametrize("text", ["== a\nperhaps: x\n    pass\n", "== a\naccident\n"])
def test_a_row_without_standing_or_program_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(ValueError, match="line 4: 'a' needs"):
        list(pairs("About\n\nit.\n" + text))


def test_the_document_is_fresh() -> None:
    assert DOCUMENT.read_text("utf-8") == "\n".join(document()), "run make docs"
