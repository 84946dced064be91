"""The wheel: the rules that turn a copy of the tree into one package, and that nothing of the checkout is left."""

from __future__ import annotations

import ast
import os
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from ..dev import extras
from ..dev.pythons import ROOT
from ..dev.wheel import (
    BY_NAME,
    ENTRANCES,
    ModuleNames,
    NoEntrance,
    WheelError,
    files,
    leftovers,
    main,
    metadata,
    names,
    stage,
    toml,
)
from .fixtures import Captured
from .process import python

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NAMES = ModuleNames("all", frozenset({"one", "one.two", "one.two.three", "other"}))

#: The text in the checkout, and the text in the wheel.
MADE = (
    ("import one", "from all import one"),
    ("import one as o", "from all import one as o"),
    ("import one.two as t", "import all.one.two as t"),
    ("import one; one.go()", "from all import one; one.go()"),
    ("import one  # é", "from all import one  # é"),
    ("import ones", "import ones"),
    ("import os", "import os"),
    ("from one import x", "from all.one import x"),
    ("from  one.two  import (x,\n  y)  # c", "from  all.one.two  import (x,\n  y)  # c"),
    ("from ones import x", "from ones import x"),
    ("from .one import x\nfrom . import one", "from .one import x\nfrom . import one"),
    ("def f():\n    from one import x", "def f():\n    from all.one import x"),
    ("# about one\none.two", "# about one\none.two"),
)
#: The parts of model_tests that users need; and the most modules in them.
ROOMS = {
    *("__init__.py", "py.typed", "commands", "conformance", "crawls", "documents", "explored", "libraries"),
    *("programs", "refinement"),
}
MOST_MODULES = 225
#: Text that is no import statement, and stays as it is.
STAYS = (
    '"one.two.three"',
    '"run python -m one.two --now"',
    '"""About.\n\n    import one\n"""',
    'p = """\nfrom one.two import x\n"""',
    "# import one",
)
DOCUMENTS = (
    ("```python\nimport one\n\none.go()\n```\n", "```python\nfrom all import one\n\none.go()\n```\n"),
    ("```python\n    from one import x\n```\n", "```python\n    from one import x\n```\n"),  # an excerpt
    ("```console\nfrom one import x\n```\n", "```console\nfrom one import x\n```\n"),
    ("    import one\n", "    import one\n"),
    ("use `from one.two import x as y`", "use `from one.two import x as y`"),
)


@pytest.mark.parametrize(("given", "made"), MADE)
def test_code(given: str, made: str) -> None:
    assert NAMES.rewrite(given) == made
    ast.parse(made)
    assert NAMES.rewrite(f"if x:\n\tpass\n{given}\n") == f"if x:\n\tpass\n{made}\n"


@pytest.mark.parametrize("text", STAYS)
def test_other_text_stays(text: str) -> None:
    assert NAMES.rewrite(text) == text


@pytest.mark.parametrize(("given", "made"), DOCUMENTS)
def test_only_the_programs_of_documents_change(given: str, made: str) -> None:
    assert NAMES.document(f"About.\n\n{given}\nimport one\n") == f"About.\n\n{made}\nimport one\n"


LEFT = (
    ("import_module('one')", "one"),
    ("logging.getLogger('one')", "one"),
    ("run([python, '-m', 'one'])", "one"),
    ("p = '\\nimport one\\n'", "import one"),
    ("p = f'\\nfrom one.two import {x}\\n'", "from one.two import"),
    ("p = 'one.' 'two'", "one.two"),
    ("import all.nothing", "all.nothing"),
    ("from .nothing import x", "all.other.nothing"),
    ("from ..nothing import x", "all.nothing"),
    ("import one.two", "one.two"),  # from here on: imports in a form that no rule covers
    ("import os, one", "one"),
    ("if True: import one", "one"),
    ("from one.two\\\n  import x", "one.two"),
)
NOT_LEFT = (
    "def f():\n    'As in:\\n\\n    import one'",
    "p = spelled('import one')",
    "x = {'one': 'other'}",
    "import_module('pip')",
    "run('one')",
    "from .. import one",
    "from . import x",
)


def copy(tmp_path: Path, code: str) -> list[str]:
    """The leftovers of a copy with this code in a module of the package `other`."""
    module = tmp_path / "all" / "other" / "module.py"
    module.parent.mkdir(parents=True)
    module.write_text(NAMES.rewrite(code), encoding="utf-8")
    return list(leftovers(tmp_path, NAMES))


@pytest.mark.parametrize(("code", "name"), LEFT)
def test_what_the_rules_do_not_cover_is_found(code: str, name: str, tmp_path: Path) -> None:
    (found,) = copy(tmp_path, f"\n{code}")
    assert found.startswith("all/other/module.py:2: ")
    assert name in found


@pytest.mark.parametrize("code", NOT_LEFT)
def test_other_strings_and_imports_may_stay(code: str, tmp_path: Path) -> None:
    assert copy(tmp_path, code) == []


# --- the tree itself -------------------------------------------------------------------------------------------


def test_the_copy_holds_what_pyproject_names(staged: Path) -> None:
    found = {
        path.relative_to(staged / "loopspec")
        for path in (staged / "loopspec").rglob("*.*")
        if "__pycache__" not in path.parts
    }
    expected = {*files(ROOT, PYPROJECT), *map(Path, ("__init__.py", "__main__.py", "py.typed"))}
    assert {path for path in found if (staged / "loopspec" / path).is_file()} == expected
    assert {path.parts[0] for path in expected if len(path.parts) > 1} == {"spec", "impl", "model_tests"}
    assert not [path for path in expected if "tests" in path.parts[:-1]]
    assert {path.name for path in staged.iterdir()} == {"loopspec", "LICENSE", "README.md", "pyproject.toml"}


def test_it_holds_the_modules_that_users_need() -> None:
    paths = [path for path in files(ROOT, PYPROJECT) if path.parts[0] == "model_tests"]
    assert {path.parts[1] for path in paths} == ROOMS
    modules = {path.relative_to("model_tests").as_posix() for path in paths if path.suffix == ".py"}
    assert len(modules) <= MOST_MODULES
    assert {name for name in modules if name.startswith("libraries/")} == {
        "libraries/__init__.py",
        "libraries/finding.py",
    }
    assert not [path for path in paths if path.suffix == ".md" and path.parts[1] != "libraries"]


def test_a_module_that_nothing_reaches_is_not_in_it(tmp_path: Path) -> None:
    package = tmp_path / "model_tests"
    for module in {*ENTRANCES, *BY_NAME, "model_tests.corpus", "model_tests.used"}:
        path = tmp_path.joinpath(*module.split("."))
        path.mkdir(parents=True, exist_ok=True)
        for folder in (path, path.parent):
            (folder / "__init__.py").touch()
    (package / "commands" / "cli" / "__init__.py").write_text("def f():\n    from ... import used\n", encoding="utf-8")
    found = {path.parent.name for path in files(tmp_path, PYPROJECT)}
    assert "used" in found
    assert "corpus" not in found
    (package / "explored" / "plugin" / "__init__.py").unlink()
    with pytest.raises(NoEntrance, match=r"^model_tests\.explored\.plugin is not in "):
        list(files(tmp_path, PYPROJECT))


def test_no_line_moves(staged: Path) -> None:
    for path in files(ROOT, PYPROJECT):
        here, there = (ROOT / path).read_text("utf-8"), (staged / "loopspec" / path).read_text("utf-8")
        assert here.count("\n") == there.count("\n"), path


def test_only_a_few_lines_differ_and_each_names_the_package(staged: Path) -> None:
    for path in files(ROOT, PYPROJECT):
        here, there = (ROOT / path).read_text("utf-8"), (staged / "loopspec" / path).read_text("utf-8")
        for line, copied in zip(here.splitlines(), there.splitlines(), strict=True):
            assert line == copied or "loopspec" in copied.replace(line, ""), path


def test_metadata(staged: Path) -> None:
    made = tomllib.loads((staged / "pyproject.toml").read_text(encoding="utf-8"))
    project, ours = made["project"], PYPROJECT["project"]
    assert project["scripts"] == {name: f"loopspec.{module}" for name, module in ours["scripts"].items()}
    assert project["entry-points"] == {"pytest11": {"loopspec": "loopspec.model_tests.explored.plugin"}}
    assert project | {table: ours[table] for table in ("scripts", "entry-points")} == ours
    plugins = PYPROJECT | {"project": {**ours, "entry-points": {"pytest11": {"a": "impl.b:c", "d": "else:f"}}}}
    points = metadata(plugins, names("loopspec", list(files(ROOT, PYPROJECT))))["project"]["entry-points"]
    assert points == {"pytest11": {"a": "loopspec.impl.b:c", "d": "else:f"}}


def test_toml() -> None:
    table = {"a b": ["é", '"\\\n'], "c": {"d": {}, "e": []}}
    assert tomllib.loads(f"x = {toml(table)}") == {"x": table}


def test_a_tree_with_a_name_that_stays_is_refused(tmp_path: Path) -> None:
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "__init__.py").write_text("log = getLogger('spec')\n", encoding="utf-8")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    with pytest.raises(WheelError, match=r"spec/__init__\.py:1: 'spec' names a module"):
        stage(tmp_path, tmp_path / "copy")
    (tmp_path / "spec" / "__init__.py").write_text("log = (\n", encoding="utf-8")
    with pytest.raises(WheelError, match=r"spec/__init__\.py: a program in it cannot be read: "):
        stage(tmp_path, tmp_path / "copy")


def test_usage(capsys: Captured) -> None:
    assert main([]) == main(["--help"]) == 2
    assert capsys.readouterr().err.count("usage: python -m model_tests.dev.wheel FOLDER\n") == 2


def test_an_extra_that_is_not_there_is_a_wrong_call(tmp_path: Path, capsys: Captured) -> None:
    wheel = tmp_path / "a.whl"
    wheel.touch()
    assert extras.main([str(wheel), "no_such_extra"]) == 2
    assert "the extras are crawl" in capsys.readouterr().err


@pytest.mark.parametrize(("required", "absent"), [
    ('pytest; extra == "x"', ""),
    ("no-such-library; python_version < '3' and extra == 'x'", "no-such-library"),
    ('no-such-library; extra == "xy"', ""),
])  # fmt: skip
def test_what_an_extra_does_not_bring_is_named(required: str, absent: str) -> None:
    program = extras.IMPORTS.replace("metadata.requires(package)", repr([required]))
    ran = python("-W", "ignore", "-c", program, "loopspec", "x")
    assert (ran.returncode, ran.stdout.strip()) == (0, absent)


# --- the package, as it is copied from the tree: `import loopspec` and `python -m loopspec` ---------------------


Run = Callable[..., CompletedProcess[str]]

PROGRAM = """
import sys
import loopspec

assert [name for name in sys.modules if name.startswith("loopspec.")] == []
assert {"check", "conform", "explore", "impl", "run", "simulate", "spec", "__version__"} <= set(dir(loopspec))

async def main():
    import asyncio
    await asyncio.sleep(3600)
    return asyncio.get_running_loop().time()

assert loopspec.run(main) == loopspec.simulate(main).result == 3600.0
assert loopspec.explore(main, runs=3).failure is None
assert loopspec.conform is loopspec.model_tests.conform and loopspec.Rules
from loopspec.spec import kit
assert loopspec.check is kit.check and loopspec.spec is sys.modules["loopspec.spec"]
assert loopspec.impl.run is not loopspec.run
print(loopspec.__version__)
from loopspec import *
assert explore is loopspec.explore
try:
    loopspec.nothing
except AttributeError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def ran(staged: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs Python on the sources of the wheel, and the metadata of an installation, outside of the checkout."""
    folder = tmp_path_factory.mktemp("metadata")
    metadata = folder / "loopspec-9.8.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text("Metadata-Version: 2.1\nName: loopspec\nVersion: 9.8\n", encoding="utf-8")
    path = os.pathsep.join(map(str, (staged, folder)))
    return partial(python, cwd=folder, env={"PYTHONPATH": path})


def test_the_facade_loads_what_is_asked_for(ran: Run) -> None:
    seen = ran("-c", PROGRAM)
    assert (seen.stderr, seen.stdout) == ("", "9.8\nmodule 'loopspec' has no attribute 'nothing'\n")


def test_the_package_is_the_command(ran: Run) -> None:
    assert ran("-m", "loopspec", "--version").stdout == "loopspec 9.8\n"
    seen = ran("-m", "loopspec", "explore", "nowhere.py:main", "--jobs", "2")
    assert (seen.returncode, seen.stderr) == (2, "loopspec explore: there is no file 'nowhere.py'\n")


def test_the_modules_of_the_loop_have_their_names_in_the_package(ran: Run) -> None:
    program = "from loopspec.impl.explore.reduction.kinds import is_of_the_loop as known"
    modules = "map(known, ('loopspec.impl.loop', 'loopspec.impl.tasks.task', 'loopspec.impl.web.url'))"
    assert ran("-c", f"{program}\nprint(*{modules})").stdout == "True True False\n"


def test_programs_for_the_user_import_from_the_package(ran: Run) -> None:
    said = ran("-m", "loopspec", "explain", f"KERNEL-{2}")  # in two parts: no test of the rule
    assert (said.returncode, said.stderr) == (0, "")
    assert "      from loopspec import impl\n" in said.stdout


def test_the_types_of_the_facade_are_known(staged: Path) -> None:
    text = (staged / "loopspec" / "__init__.py").read_text(encoding="utf-8")
    listed = text.partition("__all__ = ")[2].partition("\n")[0]
    typed = text.partition("if TYPE_CHECKING:")[2].partition("\n_PLACES")[0]
    assert [name for name in eval(listed) if f" as {name}\n" not in typed and f" {name}: " not in typed] == []


def test_the_version_is_that_of_pyproject() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert python("-m", "model_tests.commands.cli", "--version").stdout == f"loopspec {version}\n"
