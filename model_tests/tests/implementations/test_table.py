"""The table of all code under test: it has every implementation, and each wrong one is caught."""

import inspect
import os
import re
import sys
from typing import Any, Final

import pytest

from impl.errors import InternalError

from ...conformance.report import rules
from ...implementations import __main__ as command
from ...implementations.checkers import alone
from ...implementations.corpus import HOME, corpus
from ...implementations.detection import accused, caught, finds, read
from ...implementations.rows import implementations
from ...programs.tables import table
from ..fixtures import Captured, Patch

TABLE = read()
#: Those that no checker sees, and why.
MISSED: Final = {
    "wrong/combining/wait_takes_for_done_what_called_back": "a right wait may hear of an end in a later turn",
    "wrong/events/AfterYou": "a call that need not wait may give others a turn",
    "wrong/locks/ForgivenInBetween": "no sentence is about a release before the waiter has run",
    "wrong/locks/LockKeepsTheCancelled": "what it keeps leaves with its release",
    "wrong/tasks/wrap_future_wraps_any_future": "no program wraps a future of asyncio's",
}
#: The table is made on the newest Python; older ones lack names, and have known bugs that excuse some subjects.
newest = pytest.mark.skipif(sys.version_info < (3, 15), reason="the table is made on Python 3.15")


@newest
def test_it_has_a_row_for_each_with_its_cause_and_a_known_rule() -> None:
    every = implementations()
    assert [name for name in every if name not in TABLE] == []
    wrong = {name: row for name, row in TABLE.items() if not name.startswith("right/")}
    assert [name for name, row in wrong.items() if row["rule"] not in rules() or not row["cause"]] == []
    assert [name for name, one in every.items() if TABLE[name]["cause"] != one.cause] == []
    assert [name for name, one in every.items() if one.rule and TABLE[name]["rule"] != one.rule] == []


def test_some_checker_catches_each_wrong_implementation_that_the_kit_was_asked_about() -> None:
    asked = {name: row for name, row in TABLE.items() if not name.startswith("right/") and "kit" in row}
    assert [name for name, row in asked.items() if not caught(row)] == [*MISSED]


def test_no_checker_finds_right_code_against_the_documentation() -> None:
    """The libraries have true findings: LIBRARIES.md."""
    right = {name: row for name, row in TABLE.items() if re.match("right/(?!libraries)", name)}
    assert [name for name, row in right.items() if accused(row) or "documented" not in row] == []
    assert not accused({"kit": "TASK-1", "documented": "-"})  # by a fact that is only settled


def test_what_the_kit_caught_before_it_does_not_miss() -> None:
    wrong = {name: row for name, row in TABLE.items() if not name.startswith("right/")}
    missed = [name for name, row in wrong.items() if finds(row.get("before", "-")) and row.get("kit") == "-"]
    assert missed == []


@newest
def test_a_sample_is_what_the_checkers_find(full: bool, monkeypatch: Patch, capsys: Captured) -> None:
    """Another sample in full, of all cells; a smaller one if not."""
    monkeypatch.setattr(command, "SAMPLE", command.SAMPLE if full else 4)
    arguments = ["--compare", "36"] if full else ["--compare", "1", "--column", "facts", "programs"]
    assert command.main(["wrong/", "refuted/", "examples/", *arguments]) == 0, capsys.readouterr().out


@newest
def test_a_cell_that_is_another_now_is_named(monkeypatch: Patch, capsys: Captured) -> None:
    name = "wrong/tasks/UncancelsAll"
    table: dict[str, Any] = {name: {"facts": "-", "programs": "-"}}
    monkeypatch.setattr(command, "read", lambda: table)
    assert command.main([name, "--compare", "1", "--column", "facts", "programs"]) == 1
    assert f"{name}: " in capsys.readouterr().out


@pytest.mark.parametrize(("arguments", "said"), [(["no-such-name"], "no-such-name"), (["--column", "x"], "'x'")])
def test_a_wrong_call_is_one_line(arguments: list[str], said: str, capsys: Captured) -> None:
    assert command.main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err


def test_an_error_of_a_checker_is_no_finding() -> None:
    assert alone(lambda: "QUEUE-1") == "QUEUE-1"
    assert alone(lambda: os._exit(3)) == "does not return"
    with pytest.raises(InternalError):
        alone(lambda: str(1 // 0))


# Every wrong implementation states its defect.

#: The heads of a kind: a name, the rules that it breaks or asyncio's names that it brings, and the cause.
HEADS = {
    "wrong": r"\w+, [A-Z]+-\d+( [A-Z]+-\d+)*: .+",
    "mutants": r"\w+, [A-Z]+-\d+: .+",
    "right": r"\w+(, [A-Za-z]\w*( \w+)*)?: .+",
}
#: The word before its sentence, or its source.
WORDS = {"wrong": "breaks", "mutants": "source", "right": "free"}
LEAST = {"wrong": 800, "mutants": 180, "right": 90}


@pytest.mark.parametrize("kind", HEADS)
def test_every_text_says_what_is_wrong_or_free(kind: str) -> None:
    names = []
    for path in sorted(HOME.glob(f"{kind}/*/*.txt")):
        for head, text in table(path)[1].items():
            names.append(re.split(r"[,:]", head)[0])
            assert re.fullmatch(HEADS[kind], head), head
            assert re.search(rf"^    # {WORDS[kind]}\b", text, re.M), names[-1]
    assert len(names) == len(set(names)) == len(corpus(kind)) > LEAST[kind]


def test_a_text_builds_on_another_of_its_kind() -> None:
    event = corpus("right")["newest_first"].load().Event
    assert [each.__name__ for each in event.__mro__] == ["Event", "Event", "object"]


def test_a_traceback_of_a_text_shows_its_lines() -> None:
    queue = corpus("right")["half_queue"].load().Queue
    assert "return len(self._items)" in inspect.getsource(queue.qsize)
