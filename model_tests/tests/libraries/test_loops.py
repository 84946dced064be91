"""The public loops: the page and the badges show the stored results, and a finding is published only with its test.

Loops that are wrong in one method are caught: the kit sees it in asyncio's code, which runs on them.
"""

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ...conformance.budget import Budget
from ...conformance.judge import State
from ...conformance.kit import run
from ...dev.pythons import ROOT, SUPPORTED, Interpreter
from ...implementations.verdicts import verified
from ...libraries.loops import __main__ as loops
from ...libraries.loops import held as holding
from ...libraries.loops import page
from ...libraries.loops.environment import Environment, Unusable
from ...libraries.loops.held import LoopResult, PublishedFinding, doubt, held, state_of
from ...libraries.loops.table import LOOPS, Public
from ...programs.releases import THIS, parsed
from ...programs.tables import texts

#: The wrong method of a loop; after the colon the rule that it breaks, and the first Python with the defect:
#: asyncio.create_task() named tasks itself before 3.13, and no task started eagerly before 3.12.
WRONG = texts(Path(__file__).with_name("wrong_loops.txt"))
PYTHONS = [Interpreter(f"{version}.0", Path(version)) for version in SUPPORTED]


def test_the_page_and_the_badges_show_what_is_stored() -> None:
    stored = page.read()
    assert list(stored) == [loop.name for loop in LOOPS if loop.name in stored]
    assert page.PAGE.read_text(encoding="utf-8") == page.page(list(stored.values()))
    drawn = {page.file_of(each): page.badge_of(each) for each in stored.values() if each.pythons}
    assert {path.name: path.read_text(encoding="utf-8") for path in page.BADGES.iterdir()} == drawn


@pytest.mark.parametrize("result", page.read().values(), ids=lambda result: result.name)
def test_each_rule_that_is_broken_has_a_test(result: LoopResult) -> None:
    assert result.pythons or result.refused
    for finding in result.broken:
        ast.parse(finding.code)
        assert "sleep(0." not in finding.code  # none waits
    broken = {rule for finding in result.broken for rule in finding.rules}
    assert result.states.get("broken", 0) == len(broken)


def test_each_subject_is_there() -> None:
    for loop in LOOPS:
        assert not loop.subject.endswith(".py") or (ROOT / loop.subject).is_file()


def places(monkeypatch: pytest.MonkeyPatch, broken: Sequence[str] = (), absent: Sequence[str] = ()) -> None:
    """Have each Python run a loop that breaks QUEUE-5 and QUEUE-6, with a test; none is run."""

    def make(self: Environment) -> None:
        if self.python.version in absent:
            raise Unusable("there is no wheel")

    def conform(self: Environment, *options: str | Path) -> None:
        finding = '{"rule": "QUEUE-5", "also": ["QUEUE-6", "LOCK-1"], "sentence": "it is so", "function": "code"}'
        rules = '{"rule": "QUEUE-5", "state": "broken"}, {"rule": "QUEUE-6", "state": "broken"}'
        text = f'{{"rules": [{rules}, {{"rule": "LOCK-1", "state": "held"}}], "findings": [{finding}]}}'
        Path(options[1]).write_text(text, encoding="utf-8")

    def verified(code: str, subject: str, python: str) -> str:
        return "NOT VERIFIED" if any(f"-{version}/" in python for version in broken) else "verified"

    monkeypatch.setattr(Environment, "make", make)
    monkeypatch.setattr(Environment, "conform", conform)
    monkeypatch.setattr(Environment, "version", lambda self: "1.0")
    monkeypatch.setattr(holding, "verified", verified)


def test_a_finding_is_published_with_its_two_newest_pythons(monkeypatch: pytest.MonkeyPatch) -> None:
    places(monkeypatch, broken=["3.11"], absent=["3.14"])
    result = held(Public("mine"), PYTHONS)
    assert result.pythons == ["3.15.0", "3.13.0"]
    assert result.refused == {"3.14": "there is no wheel"}
    assert result.states == {"broken": 2, "held": 1}
    assert result.broken == [PublishedFinding(["QUEUE-5", "QUEUE-6"], "it is so", "code")]
    assert LoopResult.read(result.stored()) == result
    assert "| mine | 1.0 | 3.15.0, 3.13.0 | 1 | 0 | 2 | 0 | 0 |" in page.page([result])
    assert "## mine: QUEUE-5\n\nIt is so.\n\nThrough the same cause: QUEUE-6." in page.page([result])


def test_a_finding_without_a_test_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    places(monkeypatch, broken=["3.14"])
    result = held(Public("mine"), PYTHONS)
    assert result.states == {"not judged": 2, "held": 1}
    assert not result.broken
    assert result.unverified == ["QUEUE-5, QUEUE-6: it is so: NOT VERIFIED on 3.14.0"]
    assert "it is so" not in page.page([result])


@pytest.mark.parametrize(
    ("instead", "rules", "states"),
    [
        ({"QUEUE-5": "LOCK-1"}, ["LOCK-1", "QUEUE-6"], {"not judged": 1, "broken": 2}),
        ({"QUEUE-5": "", "QUEUE-6": ""}, [], {"not judged": 2, "held": 1}),
    ],
)
def test_a_finding_is_filed_under_the_rule_that_its_test_shows(
    monkeypatch: pytest.MonkeyPatch, instead: dict[str, str], rules: list[str], states: dict[str, int]
) -> None:
    places(monkeypatch)
    result = held(Public("mine", instead=instead), PYTHONS)
    assert [rule for finding in result.broken for rule in finding.rules] == rules
    assert result.states == states


def test_on_a_loop_on_which_each_test_fails_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    mine, code = Public("mine"), "from mine import new_event_loop\n\ndef test_it(): pass\n"
    for fails, said in (("test_", "a test of nothing fails, too, on 3.15.0"), ("test_it", "")):
        monkeypatch.setattr(holding, "verified", lambda code, *_, w=fails: "verified" if w in code else "no")
        assert doubt(code, mine, [Environment(mine, PYTHONS[-1])]) == said


def test_a_rule_of_the_loop_that_others_hide_is_asked_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def reported(place: Environment, *only: str) -> Any:
        rows = [{"rule": "FUT-9", "state": "broken"}] * (not only)
        rows.append({"rule": "LOOP-5", "state": "broken" if only else "not judged"})
        also = ["LOOP-5"] * (not only)
        finding = {"rule": rows[0]["rule"], "also": also, "sentence": "", "function": "code"}
        return {"rules": rows, "findings": [finding]}

    places(monkeypatch)
    monkeypatch.setattr(holding, "reported", reported)
    result = held(Public("mine"), PYTHONS)
    assert (result.states, [each.rules for each in result.broken]) == ({"broken": 2}, [["FUT-9"], ["LOOP-5"]])


def test_a_loop_that_runs_nowhere_is_named_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    places(monkeypatch, absent=SUPPORTED)
    result = held(Public("mine"), PYTHONS[:2])
    assert "## On no Python here\n\n- mine: 3.12: there is no wheel; 3.11: there is no wheel" in page.page([result])


def test_a_rule_of_a_finding_that_is_not_shown_is_not_judged() -> None:
    rows = [
        {"rule": "A", "state": "broken"},
        {"rule": "B", "state": "broken"},
        {"rule": "C", "state": "held"},
    ]
    assert [state_of(row, {"A"}) for row in rows] == ["broken", "not judged", "held"]


def test_an_unknown_loop_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert loops.main(["nowhere"]) == 2
    assert "there is no nowhere; the loops are: asyncio;" in capsys.readouterr().err


@pytest.mark.short("call_soon returns nothing: LOOP-5", why="a second each")
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_loop_is_caught_by_what_runs_on_it(tmp_path: Path, wrong: str) -> None:
    rule, _, since = wrong.rpartition(": ")[2].partition(", since ")
    if parsed(since or "3.11") > THIS:
        pytest.skip(f"since Python {since}")
    file = tmp_path / "mine.py"
    loop = f"class Loop(asyncio.SelectorEventLoop):\n{WRONG[wrong]}"
    file.write_text(f"import asyncio\n\n\n{loop}\n\ndef new_event_loop():\n    return Loop()\n")
    report = run(str(file), only=[rule], budget=Budget(runs=0))
    assert [(verdict.rule, verdict.state) for verdict in report.broken] == [(rule, State.BROKEN)]
    assert verified(report.findings[0].function(), str(file)) == "verified"
