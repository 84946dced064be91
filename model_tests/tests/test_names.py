"""The names of classes, properties and modules: one class a name, a property says what must hold, modules are nouns."""

import ast
import asyncio
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from spec.cases import CASES

from ..dev.pythons import ROOT

#: Every specification calls these parts alike: its constants, the place and the signal of a task, an answer.
PARTS_OF_A_SPECIFICATION = {"Const", "At", "Sig", "Said"}
#: Programs of their own: the systems of the source texts keep the texts' names.
PROGRAMS = ("impl/ladder/rungs/", "impl/ladder/pycoro/", "impl/ladder/tornado/", "model_tests/tests/")
#: A participle, or an adverb, as the last word of a module's name: it says what was done, not what the module is.
PARTICIPLE = re.compile(r"(?:^|_)(?:\w+ed|known|shown|seen|drawn|written|kept|caught|missing|only|\w+ly)$")
#: Modules with such a name: asyncio's own; one that users' own specifications have, too; and a profile of the kit.
PARTICIPLES = {"as_completed", "bounded", "owner_checked"}


def classes(body: list[ast.stmt]) -> Iterator[str]:
    """The names of the classes of a module, those within a class included; one within a function is local."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield node.name
            yield from classes(node.body)
        for part in ("body", "orelse", "handlers", "finalbody"):
            if isinstance(node, ast.If | ast.Try | ast.With):
                yield from classes([each for each in getattr(node, part, []) if isinstance(each, ast.stmt)])


def named_twice(package: Path) -> dict[str, list[str]]:
    """Return each class name that two modules of a package give, with these modules.

    asyncio's own names are left out: an implementation of `asyncio.Queue` is a `Queue`.
    """
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package.parent).as_posix()
        if name.startswith(PROGRAMS):
            continue
        for each in classes(ast.parse(path.read_bytes()).body):
            if not hasattr(asyncio, each) and each not in PARTS_OF_A_SPECIFICATION:
                found[each].append(name)
    assert found, f"{package} has no class"
    return {name: files for name, files in found.items() if len(files) > 1}


@pytest.mark.parametrize("package", ["spec", "impl", "model_tests"])
def test_no_class_name_is_given_twice(package: str) -> None:
    assert named_twice(ROOT / package) == {}


def test_a_class_name_that_is_given_twice_is_found(tmp_path: Path) -> None:
    package = tmp_path / "made"
    package.mkdir()
    for name in "ab":
        local = "def f():\n    class Local: ...\n"
        (package / f"{name}.py").write_text(f"class Row:\n    class Inner: ...\n\nclass Queue: ...\n{local}")
    both = ["made/a.py", "made/b.py"]
    assert named_twice(package) == {"Row": both, "Inner": both}


def test_a_property_says_in_words_what_must_hold() -> None:
    """One word (`clean`, `served`) tells nothing to the reader of a check that fails."""
    properties = {(case.spec.name, name) for case in CASES for name in case.spec.properties}
    assert len(properties) > 150
    assert sorted(each for each in properties if "_" not in each[1]) == []


@pytest.mark.parametrize("package", ["spec", "impl", "model_tests"])
def test_a_module_is_named_by_a_noun(package: str) -> None:
    paths = [path for path in (ROOT / package).rglob("*.py") if ROOT / "model_tests" / "tests" not in path.parents]
    assert [path for path in paths if PARTICIPLE.search(path.stem) and path.stem not in PARTICIPLES] == []
    assert all(map(PARTICIPLE.search, ("judged", "owner_checked", "only", "known")))
    assert not PARTICIPLE.search("sentence")


#: A file of the project in a sentence, and a test of it.
NAMED_FILE = re.compile(r"`((?:\w+/)*\w+\.(?:py|txt|md|json))(?:::(\w+))?`")
#: The parts of the wheel, and a page of the site.
MADE = ("loopspec/", "rules/")
#: In CONTRIBUTING.md, which stands for a name.
PLACEHOLDER = re.compile(r"\b(?:NAME|LIBRARY|FILE)\b|NAME_")


def gone(text: str) -> list[str]:
    """Return the files, and the tests, that a text names and that are not there."""
    paths = [path for folder in ("spec", "impl", "model_tests") for path in (ROOT / folder).rglob("*.*")]
    ends: dict[str, list[Path]] = defaultdict(list)
    for path in [*paths, *ROOT.glob("*.*")]:
        ends[path.name].append(path)
    missing = []
    for name, test in NAMED_FILE.findall(text):
        found = [path for path in ends[name.rpartition("/")[2]] if f"/{path.as_posix()}".endswith(f"/{name}")]
        tested = not test or any(f"def {test}(" in path.read_text(encoding="utf-8") for path in found)
        if not ((found and tested) or name.startswith(MADE) or PLACEHOLDER.search(name)):
            missing.append(f"{name}::{test}" if test else name)
    return missing


def test_each_file_that_a_document_or_a_docstring_names_is_there() -> None:
    pages = [(ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")]
    for folder in ("spec", "impl", "model_tests"):
        modules = (ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / folder).rglob("*.py"))
        pages += [doc for module in modules if (doc := ast.get_docstring(module))]
    assert gone("\n".join(pages)) == []
    assert gone("`mutants/test_table.py`, `test_names.py::test_none`") == [
        "mutants/test_table.py",
        "test_names.py::test_none",
    ]


#: A row of a package's docstring: modules, and a description.
MODULES = re.compile(r"^ {2,6}((?:[a-z_]+(?:\.py|/)?(?:, )?)+) {2,}\S", re.MULTILINE)


def test_each_module_in_the_table_of_its_package_is_there() -> None:
    found = []
    for package in ("spec", "impl", "model_tests"):
        for path in (ROOT / package).rglob("__init__.py"):
            rows = MODULES.findall(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")
            found += [path.parent / name.removesuffix(".py") for row in rows for name in row.split(", ")]
    assert len(found) > 25
    assert [path for path in found if not (path.with_suffix(".py").exists() or path.is_dir())] == []
