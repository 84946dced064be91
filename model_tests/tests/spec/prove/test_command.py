"""The command `loopspec prove`: its lines, its exit status, and its message without Z3."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from spec.cases import CASES
from spec.commands import prove

from ....commands.template import TEXT
from ...fixtures import Captured, Patch
from ...process import python

needs_z3 = pytest.mark.skipif(find_spec("z3") is None, reason="the proofs need the extra `prove`")

MINE = '''\
from spec.kit import Holds, Spec
from spec.queue import Const, Queue, queue, queue_model

mine = Spec("mine", Queue, extends=queue)


@mine.invariant
def nothing_is_held_twice(k: Const, s: Queue) -> bool:
    """MY-1: No more items are held than are unfinished."""
    return all(s.held[t] {op} s.unfinished for t in k.tasks)


SMALL = Holds(mine, "small", lambda: [queue_model(2, 1, 2, spec=mine)])
'''
#: An event, that can be cleared by a task that waits, too.
MORE = """\
from spec.kit import Holds, Spec
from spec.locks.events import Const, Flag, events
from spec.locks.models import event_model
from spec.locks.specification import Task

mine = Spec("mine", Flag, extends=events, without=["clear"])


def always(k: Const, s: Flag, t: Task) -> bool:
    return True


mine.action(whenever=always)(events.actions["clear"].fn)
SMALL = Holds(mine, "small", lambda: [event_model(2, spec=mine)])
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: Patch) -> Path:
    from spec.kit.prove import admission  # which needs Z3

    monkeypatch.setattr(admission, "OWN", admission.SHIPPED)  # of a queue, test_agreement.py compares more
    path = tmp_path / "mine.py"
    path.write_text(MINE.replace("{op}", "<="), encoding="utf-8")
    return path


@pytest.mark.short("model_tests.commands.cli", why="a process each")
@pytest.mark.parametrize("command", ["spec", "model_tests.commands.cli"])
def test_without_z3_it_says_how_to_install_it(command: str) -> None:
    program = (
        f"import sys, runpy; sys.modules['z3'] = None; sys.argv = ['x', 'prove', 'events']\n"
        f"runpy.run_module({command!r}, run_name='__main__')"
    )
    ran = python("-c", program)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert "needs z3, which is not installed: pip install 'loopspec[prove]'" in ran.stderr


def test_the_kit_does_not_load_z3() -> None:
    program = "import sys, spec.registry, spec.cases, spec.kit.vacuity, spec.commands.prove; print('z3' in sys.modules)"
    ran = python("-c", program, check=True)
    assert ran.stdout == "False\n"


@pytest.mark.parametrize("argument", ["no_such_text", "crawl_fifo", "no_such_file.py"])
@needs_z3
def test_bad_usage_is_one_line(argument: str, capsys: Captured) -> None:
    assert prove.main([argument]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


@needs_z3
def test_a_line_for_each_property_and_a_last_line(capsys: Captured) -> None:
    assert prove.main(["events"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    case = next(case for case in CASES if case.name == "events")
    assert len(lines) == 3 + len(case.goals) + len(case.ranked)
    assert all("proved" in line and "not pinned" not in line for line in lines)
    assert last.startswith("64 obligations: 64 proved, 0 false on purpose, 0 wrong; ")


@needs_z3
def test_a_users_invariant_is_proved_and_the_rest_is_said(mine: Path, capsys: Captured) -> None:
    mine.write_text(mine.read_text("utf-8").replace(")])", ")], may_end=lambda s: s.buf == ())"), "utf-8")
    assert prove.main([str(mine)]) == 0
    proved, explored, last = capsys.readouterr().out.splitlines()
    assert proved.startswith("mine: nothing_is_held_twice (MY-1)  proved   14")
    assert "unfinished_items_are_conserved" in proved
    assert explored == "mine: deadlock  explored only: it is of bounded models"
    assert " 1 properties are explored only;" in last


@needs_z3
@pytest.mark.long("seconds of proofs")
def test_what_z3_does_not_decide_is_not_counted_as_wrong(mine: Path, capsys: Captured, monkeypatch: Patch) -> None:
    for most in ("RUNG_STEPS", "MOST_STEPS"):
        monkeypatch.setattr(f"spec.kit.prove.verdicts.{most}", 1)
    assert prove.main([str(mine)]) == 1
    *_, unknown, last = capsys.readouterr().out.splitlines()
    assert unknown.startswith("  UNKNOWN: nothing_is_held_twice")
    assert re.match("14 obligations: [0-9]+ proved, 0 false on purpose, [1-9][0-9]* undecided, 0 wrong; ", last), last


@needs_z3
@pytest.mark.long("the tutorial shows one")
def test_a_wrong_one_is_refuted_with_a_state(mine: Path, capsys: Captured) -> None:
    mine.write_text(MINE.replace("{op}", "<"), encoding="utf-8")
    assert prove.main([str(mine)]) == 1
    out = capsys.readouterr().out
    assert "REFUTED: nothing_is_held_twice initially\n  for (tasks={0}" in out
    assert "0  init" in out
    assert "if these constants" not in out, "it is false at the beginning of the model, too"


@needs_z3
def test_an_action_that_is_refused_where_it_must_be_possible_is_shown(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "own_gate.py"
    always = "def always(k: Const, s: State, task: Task) -> bool:\n    return True\n\n\n"
    text = TEXT.replace("@gate.action(answer=done)", f"{always}@gate.action(answer=done, whenever=always)")
    path.write_text(text, encoding="utf-8")
    assert prove.main([str(path)]) == 1
    out = capsys.readouterr().out
    assert "gate: every action is possible where it must be  0 of 1 proved" in out
    assert "  REFUTED: allowed acquire\n  for (tasks={0}" in out
    assert "\n  acquire(0) cannot happen here, and must be possible\n" in out


@needs_z3
def test_a_shipped_action_of_which_more_is_declared_is_asked_again(mine: Path, capsys: Captured) -> None:
    mine.write_text(MORE, encoding="utf-8")
    assert prove.main([str(mine)]) == 1
    assert "  REFUTED: allowed clear\n" in capsys.readouterr().out


@pytest.mark.long("a second of proofs")
@needs_z3
def test_constants_that_break_a_property_may_be_excluded(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "own_gate.py"
    told = "if these constants make no sense, exclude them by a predicate on them: @gate.assume\n"
    owed = '''\
@gate.invariant
def not_owed(k: Const, s: State) -> bool:
    """GATE-6: No permit is owed."""
    return s.free >= 0
'''
    text = TEXT.replace("def model(", owed + "\n\ndef model(")
    path.write_text(text, encoding="utf-8")
    assert prove.main([str(path)]) == 1
    out = capsys.readouterr().out
    assert "REFUTED: not_owed initially\n  for (tasks={0}  most=-1)\n   0  init  free=-1  waiting={}\n" in out
    assert out.count(told) == 1
    sensible = '''\
@gate.assume
def sensible(k: Const) -> bool:
    """GATE-7: There may be no permits, and not fewer."""
    return k.most >= 0
'''
    path.write_text(text.replace("def model(", sensible + "\n\ndef model("), encoding="utf-8")
    assert prove.main([str(path)]) == 0


@needs_z3
def test_what_cannot_be_read_is_said_with_its_line(mine: Path, capsys: Captured) -> None:
    mine.write_text(MINE.replace("s.held[t] {op} s.unfinished", "s.held[t] * 2 >= 0"), encoding="utf-8")
    assert prove.main([str(mine)]) == 2
    assert "mine.py:10: s.held[t] * 2: such a value is outside the subset" in capsys.readouterr().err
