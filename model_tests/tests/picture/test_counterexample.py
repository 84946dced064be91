"""Pictures of specifications: a counterexample as states in rows, and the graph of a small bounded model."""

import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from impl.picture import Scene
from spec.commands.run import Broken
from spec.kit.bounded import Fails
from spec.kit.instances import search
from spec.kit.search import Violation
from spec.registry import REGISTRY

from ...commands.cli import main as loopspec
from ...commands.counterexample import scene_of

#: A light that shows green and red at once, and one that need not turn green.
LIGHT = """
from collections.abc import Iterator
from dataclasses import dataclass, replace
from spec.kit.bounded import Holds
from spec.kit.core import Map, Spec
from spec.kit.model import Model

@dataclass(frozen=True)
class Ways:
    ways: frozenset[str]

@dataclass(frozen=True)
class Light:
    green: Map[str, bool]

light = Spec("light", Light)

@light.action()
def turn(k: Ways, s: Light, way: str) -> Iterator[Light]:
    '''LIGHT-1: A way turns green, or red.'''
    yield replace(s, green=s.green | {way: not s.green[way]})

@light.invariant
def one(k: Ways, s: Light) -> bool:
    '''LIGHT-2: Only one way is green.'''
    return sum(s.green.values()) <= 1

WAYS = Ways(frozenset({"north", "east"}))
RED = Light(Map(north=False, east=False))
SMALL = Holds(light, "two ways", lambda: [Model(light, WAYS, (RED,), {str: ("north", "east")})])
"""


TOO_MANY = "has more than 150 states, too many for a picture: give a file with a smaller bounded model"


@pytest.fixture
def light(tmp_path: Path) -> str:
    file = tmp_path / "light.py"
    file.write_text(LIGHT, encoding="utf-8")
    return str(file)


@pytest.fixture
def right_light(light: str) -> str:
    Path(light).write_text(LIGHT.replace("<= 1", "<= 2"), encoding="utf-8")
    return light


def refuted(spec: str, broken: str) -> Scene:
    """The scene of the first mutant that breaks this property."""
    fails = next(
        each for each in REGISTRY if isinstance(each, Fails) and each.spec.name == spec and each.broken == broken
    )
    model = fails.model()
    with pytest.raises(Violation) as caught:
        search(model, fails, live=broken in model.spec.progress)
    return scene_of(Broken(fails, model, caught.value, meant=True))


def test_a_refuted_invariant_has_a_row_for_each_state_and_marks_what_changes() -> None:
    made = refuted("locks", "no_lost_waiter")
    first, *_, last = made.rows
    assert [made.lanes[lane] for lane, _ in first.values] == list(made.lanes[1:]), "the start shows all"
    assert (last.text, last.fault, last.rule) == ("unwind_wrong(1)", "breaks no_lost_waiter", "LOCK-8")
    assert [(made.lanes[lane], text) for lane, text in last.values] == [("at[1]", "out")]
    assert last.touches == ("the action is wrong on purpose",)
    assert [row.fault for row in made.rows[:-1]] == [""] * (len(made.rows) - 1)
    assert any("a cancelled waiter keeps its wake-up" in note for note in made.notes)


def test_of_a_goal_that_need_not_come_the_loop_is_marked() -> None:
    made = refuted("locks", "comes_to_rest")
    faults = [(n, row.fault) for n, row in enumerate(made.rows) if row.fault]
    assert faults
    assert "comes_to_rest" in faults[0][1]


def test_the_command_draws_what_fails(light: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, document = tmp_path / "found.html", tmp_path / "found.svg"
    assert loopspec(["check", light, "--html", str(page), "--svg", str(document)]) == 1
    assert "drawn: light: two ways: one" in capsys.readouterr().out
    assert '"green[north]"' in page.read_text(encoding="utf-8")
    assert "LIGHT-2" in page.read_text(encoding="utf-8")
    ElementTree.parse(document)


def test_without_a_counterexample_nothing_is_drawn(
    right_light: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert loopspec(["check", right_light, "--html", str(tmp_path / "found.html")]) == 0
    assert "nothing is drawn: there is no counterexample" in capsys.readouterr().out
    assert not (tmp_path / "found.html").exists()


def test_the_graph_has_each_state_once(
    right_light: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    file = tmp_path / "graph.svg"
    assert loopspec(["check", right_light, "--graph", str(file)]) == 0
    assert f"the graph of light: two ways is in {file}" in capsys.readouterr().out
    root = ElementTree.parse(file).getroot()
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    states = [text for text in texts if text and text.isdigit()]
    assert states == ["0", "1", "2", "3"]
    assert texts.count("turn(north)") == 4
    boxes = [
        tuple(float(each.attrib[name]) for name in ("x", "y", "width", "height"))
        for each in root.iter("{http://www.w3.org/2000/svg}rect")
        if "x" in each.attrib
    ]
    assert len(boxes) == 4
    for n, (x, y, width, height) in enumerate(boxes):
        for x2, y2, width2, height2 in boxes[:n]:
            assert x >= x2 + width2 or x2 >= x + width or y >= y2 + height2 or y2 >= y + height


def test_dot_reads_the_graph(right_light: str, tmp_path: Path) -> None:
    if shutil.which("dot") is None:
        pytest.skip("not run: Graphviz is not installed")
    file = tmp_path / "graph.svg"
    assert loopspec(["check", right_light, "--graph", str(file)]) == 0
    assert "turn(north)" in file.read_text(encoding="utf-8")
    assert "Generated by graphviz" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["stream"], TOO_MANY), ([], "name one specification of callbacks, crawl,")],
)
def test_a_graph_that_cannot_be_drawn_is_one_line(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert loopspec(["check", *arguments, "--graph", str(tmp_path / "graph.svg")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("loopspec check: --graph: ")
    assert said in error
    assert error.count("\n") == 1
