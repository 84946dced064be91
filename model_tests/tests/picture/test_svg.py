"""The SVG of scenes: well formed, with a mark for each step, and refused where a document cannot show it."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from impl.bridges.asyncio.run import simulate
from impl.explore.report.scenes import scenes_of
from impl.picture import Row, Scene, scene_of, svg
from impl.picture.svg import ROWS_MAX, TooLong

from ...commands.cli import main as loopspec
from ...dev.pythons import ROOT
from ...examples import shop
from ..explore.programs import failure_of
from .test_scenes import wake_window

SPACE = "{http://www.w3.org/2000/svg}"
LIMIT = "a picture for documents shows at most 120 in 16: use --html"


def drawn(*scenes: Scene) -> ElementTree.Element:
    return ElementTree.fromstring(svg(scenes))


def test_each_step_has_a_mark_in_its_lane_and_the_wake_window_a_bar() -> None:
    made = scene_of(simulate(wake_window, trace=True))
    root = drawn(made)
    assert len(list(root.iter(f"{SPACE}circle"))) == len(made.rows)
    bars = [each.attrib["class"] for each in root.iter(f"{SPACE}rect") if each.attrib.get("class")]
    assert bars.count("k") == 4, "three rows of the waiter, one of main"
    assert bars.count("c") == 1
    marks = [each.text for each in root.iter(f"{SPACE}text") if each.attrib.get("class") == "b"]
    assert {"◎", "◎✗", "⊗"} <= set(marks)


def test_a_document_has_a_white_ground_and_inks_that_are_dark() -> None:
    root = drawn(scene_of(simulate(wake_window, trace=True)))
    grounds = [each for each in root if each.tag == f"{SPACE}rect" and each.attrib.get("fill") == "#fff"]
    assert [each.attrib["width"] for each in grounds] == [root.attrib["width"]]
    style = next(root.iter(f"{SPACE}style")).text or ""
    inks = re.findall(r"(?:text|\.d|\.x)\{fill:#(\w{6})\}", style)
    assert len(inks) == 3
    assert [ink for ink in inks if max(int(ink[n : n + 2], 16) for n in (0, 2, 4)) > 0xA0] == []


def test_two_runs_have_crossing_links() -> None:
    root = drawn(*scenes_of(failure_of(shop.main).simple))
    links = [each.attrib for each in root.iter(f"{SPACE}line") if each.attrib["class"] == "p"]
    (one, other) = [(float(each["y1"]), float(each["y2"])) for each in links]
    assert (one[0] - other[0]) * (one[1] - other[1]) < 0


def test_a_text_of_the_program_is_escaped() -> None:
    root = drawn(Scene("<b> & co", ("a<b",), (Row(0, "</svg>"),), ("<i>",)))
    texts = [each.text for each in root.iter(f"{SPACE}text")]
    assert {"<b> & co", "a<b", "</svg>", "<i>"} <= set(texts)


@pytest.mark.parametrize(
    ("lanes", "rows", "said"),
    [(1, ROWS_MAX + 1, f"long has 121 steps in 1 lanes; {LIMIT}"), (17, 17, "long has 17 steps in 17 lanes")],
)
def test_what_is_too_long_is_refused(lanes: int, rows: int, said: str) -> None:
    made = tuple(Row(n % lanes, "steps") for n in range(rows))
    with pytest.raises(TooLong, match=said):
        svg([Scene("long", tuple(map(str, range(lanes))), made)])


def test_the_commands_write_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, file = f"{ROOT}/model_tests/examples/shop.py:main", tmp_path / "found.svg"
    assert loopspec(["explore", program, "--svg", str(file)]) == 1
    assert "--svg" not in capsys.readouterr().out
    ElementTree.parse(file)
    assert loopspec(["simulate", "--pages", "3", "--svg", str(file)]) == 2
    assert "use --html" in capsys.readouterr().err
