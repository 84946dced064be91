"""No import cycle in any package, of modules or of folders, type-checking imports and those in functions included."""

from pathlib import Path

import pytest

from ..dev.imports import FILE, cycles, folded, folders, import_graph, layers, reduced, svg
from ..dev.pythons import ROOT


@pytest.mark.parametrize("package", ["spec", "impl", "model_tests"])
def test_no_import_cycle(package: str) -> None:
    graph = import_graph(ROOT / package)
    assert sum(map(len, graph.values())) > 50, "the graph has lost its edges"
    assert cycles(graph) == []


@pytest.mark.parametrize("package", ["spec", "impl", "model_tests"])
def test_no_folder_imports_one_that_imports_it(package: str) -> None:
    graph = import_graph(ROOT / package)
    found = {folder: cycles(folded(graph, folder)) for folder in folders(graph)}
    assert {folder: each for folder, each in found.items() if each} == {}


@pytest.mark.parametrize(
    ("folder", "rooms", "arrows"),
    [("impl", 20, 90), ("spec", 18, 46), ("model_tests", 12, 30), ("impl.explore", 11, 30)],
)
def test_a_plan_fits_in_the_head(folder: str, rooms: int, arrows: int) -> None:
    """A room is a module or a folder directly in a package, an arrow a pair of rooms with an import between."""
    plan = folded(import_graph(ROOT / folder.partition(".")[0]), folder)
    plan.pop("model_tests.tests", None)
    assert len(plan) <= rooms
    assert sum(map(len, plan.values())) <= arrows


def graph_of(folder: Path, **sources: str) -> dict[str, set[str]]:
    """The graph of a package `made` with these modules; `__` in a name stands for a folder."""
    for name, source in sources.items():
        path = folder / "made" / f"{name.replace('__', '/') or '__init__'}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(source, encoding="utf-8")
    (folder / "made" / "__init__.py").touch()
    return import_graph(folder / "made")


@pytest.mark.parametrize("back", [
    "from .a import x",
    "from . import a",
    "from made import a",
    "import made.a",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .a import x",
    "def f():\n    from .a import x",
])  # fmt: skip
def test_a_cycle_is_found_however_the_import_is_written(tmp_path: Path, back: str) -> None:
    graph = graph_of(tmp_path, a="from .b import y", b="from .c import z", c=back)
    assert cycles(graph) == [["made.a", "made.b", "made.c"]]


def test_two_cycles_are_found_apart(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, a="from . import b", b="from . import a, c", c="from .d import x", d="import made.c")
    assert cycles(graph) == [["made.a", "made.b"], ["made.c", "made.d"]]


def test_folders_in_a_circle_are_found_though_their_modules_are_in_none(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, a__x="from ..b import y", b__y="", b__z="from ..a import w", a__w="")
    assert cycles(graph) == []
    assert folders(graph) == ["made", "made.a", "made.b"]
    assert cycles(folded(graph, "made")) == [["made.a", "made.b"]]
    assert folded(graph, "made.a") == {"made.a.x": set(), "made.a.w": set()}


def test_a_diamond_is_no_cycle(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, a="from . import b, c", b="from . import d", c="from . import d", d="import ast")
    assert graph["made.a"] == {"made.b", "made.c"}
    assert cycles(graph) == []


def test_a_name_that_a_package_defines_is_an_import_of_the_package(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "__init__.py").write_text("from .a import x\nfrom . import b\n", encoding="utf-8")
    (folder / "a.py").write_text("from . import b\n", encoding="utf-8")
    (folder / "b.py").write_text("", encoding="utf-8")
    assert cycles(import_graph(folder)) == []
    (folder / "b.py").write_text("from . import x\n", encoding="utf-8")
    assert cycles(import_graph(folder)) == [["made", "made.a", "made.b"]]


def test_an_import_from_another_package_loads_its_init(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, sub__a="", b="from .sub.a import x")
    assert graph["made.b"] == {"made.sub", "made.sub.a"}
    assert graph["made.sub.a"] == set()


def test_a_folder_without_init_has_none_to_load(tmp_path: Path) -> None:
    graph_of(tmp_path, sub__a="", b="from .sub.a import x")
    (tmp_path / "made" / "sub" / "__init__.py").unlink()
    graph = import_graph(tmp_path / "made")
    assert graph["made.b"] == {"made.sub.a"}
    assert cycles(graph) == []


def test_the_picture_shows_the_code_as_it_is() -> None:
    assert FILE.read_text(encoding="utf-8") == svg(), "make docs draws it again"


def test_the_picture_stands_each_folder_above_what_it_imports() -> None:
    graph: dict[str, set[str]] = {"p.a": {"p.b", "p.c"}, "p.b": {"p.c"}, "p.c": set(), "p.d": {"p.c"}}
    assert layers(graph) == [["p.a"], ["p.b", "p.d"], ["p.c"]]
    assert reduced(graph)["p.a"] == {"p.b"}
