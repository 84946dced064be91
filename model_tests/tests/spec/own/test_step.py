"""`loopspec step`: show the state, list the next steps, take one, undo; the commands come from standard input."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from spec.commands import step

from ....programs.tables import texts
from ...fixtures import Captured, Patch

LAMP = texts(Path(__file__).with_name("files.txt"))["lamp.py: for steps"]
START = """\
   0  init  on=False  used=0
after 0 steps, next:
   1  press()    on: False -> True  used: 0 -> 1
   2  flicker()  (nothing changes)  [by itself]
"""


@pytest.fixture(autouse=True)
def lamp(here: None) -> None:
    Path("lamp.py").write_text(LAMP, encoding="utf-8")


def session(monkeypatch: Patch, capsys: Captured, *commands: str) -> list[str]:
    """Run the command with these lines as its input; returns the output of each of them, after the beginning."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{each}\n" for each in commands)))
    assert step.main(["lamp.py"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    begin, *parts = out.split("\n> ")
    assert begin.rstrip() + "\n" == f"lamp: small: a number takes that step; undo, start, where, quit\n{START}"
    return [part.partition("\n")[2].rstrip("\n") for part in parts]


def test_a_step_is_taken_and_taken_back(monkeypatch: Patch, capsys: Captured) -> None:
    taken, undone, none = session(monkeypatch, capsys, "1", "undo", "u")
    assert taken == (
        "press(): on: False -> True  used: 0 -> 1\nafter 1 step, next:\n"
        "   1  press()    on: True -> False  used: 1 -> 2\n   2  flicker()  (nothing changes)  [by itself]"
    )
    assert undone == START.rstrip("\n")
    assert none == "this is the start: there is nothing to undo"


def test_where_shows_the_way_and_the_state_and_start_goes_back(monkeypatch: Patch, capsys: Captured) -> None:
    *_, where, start = session(monkeypatch, capsys, "1", "2", "1", "where", "start")
    assert where.splitlines()[:6] == [
        "   0  init       on=False  used=0",
        "   1  press()    on: False -> True  used: 0 -> 1",
        "   2  flicker()  (nothing changes)",
        "   3  press()    on: True -> False  used: 1 -> 2",
        "now on=False  used=2",
        "after 3 steps, next:",
    ]
    assert start == START.rstrip("\n")


def test_a_broken_property_is_named_and_an_end_is_reached(monkeypatch: Patch, capsys: Captured) -> None:
    *_, last, more = session(monkeypatch, capsys, "1", "1", "1", "1")
    assert last.splitlines() == [
        "press(): on: False -> True  used: 2 -> 3", "BROKEN: fresh (LAMP-3)", "after 3 steps: nothing may happen",
    ]  # fmt: skip
    assert more == "there is no step 1: take one of none, as nothing may happen"


def test_what_is_no_command_changes_nothing(monkeypatch: Patch, capsys: Captured) -> None:
    zero, far, word, empty, after = session(monkeypatch, capsys, "0", "3", "jump", "", "where")
    assert zero == "there is no step 0: take one of 1 to 2"
    assert far == "there is no step 3: take one of 1 to 2"
    assert word == "unknown command 'jump': a number takes that step; undo, start, where, quit"
    assert empty == ""
    assert after == START.rstrip("\n")


def test_quit_ends_it_and_so_does_the_end_of_the_input(monkeypatch: Patch, capsys: Captured) -> None:
    assert session(monkeypatch, capsys, "quit", "1") == [""]
    assert session(monkeypatch, capsys) == []


def test_at_a_terminal_there_is_a_prompt_and_no_echo(monkeypatch: Patch, capsys: Captured) -> None:
    stdin = io.StringIO("1\n")
    monkeypatch.setattr(stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", stdin)
    assert step.main(["lamp.py"]) == 0
    out = capsys.readouterr().out
    assert "\n> press(): on: False -> True" in out
    assert out.endswith("\n> \n")


@pytest.mark.parametrize(("arguments", "told"), [
    ([], "name the specification, or a file of yours: loopspec step NAME | FILE.py[:NAME]"),
    (["no_such"], "there is no specification 'no_such'; there are: "),
    (["none.py"], "cannot read none.py: "),
    (["empty.py"], "empty.py: it has no instance; add one"),
    (["wrong.py"], "wrong.py: it has no instance that holds, and so no model to walk through"),
    (["raises.py"], "raises.py:14: KeyError: 'on'"),
])  # fmt: skip
def test_an_error_is_one_line(arguments: list[str], told: str, monkeypatch: Patch, capsys: Captured) -> None:
    Path("empty.py").write_text("", encoding="utf-8")
    wrong = LAMP.replace("Holds(lamp,", "Fails(lamp,").replace("import Holds", "import Fails")
    wrong = wrong.replace("lambda: [", "lambda: ").replace("{})])", '{}), "fresh", 3)')
    Path("wrong.py").write_text(wrong, encoding="utf-8")
    Path("raises.py").write_text(LAMP.replace("s.used < k:", "{}['on']:", 1), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n"))
    assert step.main(arguments) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"loopspec step: {told}"), err
