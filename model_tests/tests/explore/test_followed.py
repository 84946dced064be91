"""Programs of several files: all files of the user are recorded, and the classes of `--every` are right."""

import builtins
from collections.abc import Callable
from importlib import import_module
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from impl.explore import explore
from impl.explore.reduction.exhaust import exhaust
from impl.explore.reduction.host_asyncio import asyncio_hosts

from ...programs.tables import texts
from ..fixtures import Patch

SHOP, MAIN, USERS = texts(Path(__file__).with_name("followed.txt")).values()
PAIR = "shop.left: buy 2 reads it ({file}:8) before buy 1 writes it ({file}:10)"
_numbers = count()

Load = Callable[..., ModuleType]  # the texts of files by their paths; the last one is imported


@pytest.fixture
def load(tmp_path: Path, monkeypatch: Patch) -> Load:
    """Write the files of a project with `{n}` in their names and texts, and import the last."""

    def load(**files: str) -> ModuleType:
        number = next(_numbers)
        monkeypatch.syspath_prepend(str(tmp_path))
        for name, text in files.items():
            path = tmp_path / (name.replace("__", "/").replace("N", f"{number}") + ".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text.replace("NN", f"{number}"), encoding="utf-8")
        return import_module(list(files)[-1].replace("__", ".").replace("N", f"{number}"))

    return load


@pytest.mark.parametrize(("file", "name"), [("shopN", "shopNN"), ("appN__shop", "appNN.shop")])
def test_a_class_of_another_file_is_recorded(load: Load, file: str, name: str) -> None:
    program = load(**{file: SHOP, "mainN": MAIN.format(shop=name)})
    for every in (False, True):
        report = explore(program.main, every=every).report()
        assert PAIR.format(file=Path(program.Shop.buy.__code__.co_filename).name) in report


# --- which functions are found --------------------------------------------------------------------------------

#: The text of a module, by its head: what holds a function, and how that is called.
HELD = texts(Path(__file__).with_name("holders.txt"))


@pytest.mark.parametrize("head", HELD)
def test_a_function_is_found_by_whatever_holds_it(load: Load, head: str) -> None:
    text, call = HELD[head], head.partition(": ")[2]
    box = "import asyncio\nclass Box:\n    value = 0\nBOX = Box()\n"
    main = "import asyncio, boxNN\nasync def put(n):\n    await asyncio.sleep(0)\n    await boxNN.{}(n)\n"
    main += "async def main():\n    await asyncio.gather(put(1), put(2))\n    assert boxNN.BOX.value == 2\n"
    found = explore(load(boxN=box + text, mainN=main.format(call)).main, every=True)
    assert found.failure is not None
    assert "BOX.value" in found.report()


def test_an_installed_package_is_followed_on_request(load: Load, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path / "site-packages"))
    (tmp_path / "site-packages" / "shoplib").mkdir(parents=True)
    (tmp_path / "site-packages" / "shoplib" / "__init__.py").write_text("from .shop import Shop\n")
    (tmp_path / "site-packages" / "shoplib" / "shop.py").write_text(SHOP)
    program = load(mainN=MAIN.format(shop="shoplib"))
    assert "no recorded step shows which order matters" in explore(program.main).report()
    for follow in ("shoplib", ["other", "shoplib.shop"]):
        assert PAIR.format(file="shop.py") in explore(program.main, follow=follow).report()


def test_the_program_is_as_it_was_afterwards(load: Load) -> None:
    program = load(shopN=SHOP, mainN=MAIN.format(shop="shopNN"))
    before = program.Shop.buy.__code__, program.main.__code__, dict(vars(program))
    explore(program.main).report()
    assert (program.Shop.buy.__code__, program.main.__code__, dict(vars(program))) == before


def test_a_changed_file_is_not_taken_for_the_one_that_was_imported(load: Load) -> None:
    program = load(shopN=SHOP, mainN=MAIN.format(shop="shopNN"))
    path = Path(program.Shop.buy.__code__.co_filename)
    path.write_text(f"# A line more.\n{SHOP}", encoding="utf-8")
    report = explore(program.main).report()
    assert "AssertionError" in report
    assert "order reversed" not in report


# --- classes ------------------------------------------------------------------------------------------------

#: The text of a module `box`, by its head: its subject, and the steps of two tasks that use it.
MODULES = texts(Path(__file__).with_name("modules.txt"))


@pytest.mark.parametrize("head", MODULES)
def test_the_classes_of_several_files_are_those_of_every_schedule(load: Load, head: str) -> None:
    text, (one, other) = MODULES[head], head.partition(": ")[2].split("; ")
    main = USERS.replace("{one}", one).replace("{other}", other)
    program = load(boxN=text, mainN=main)
    files = [program.box.__file__]

    def outcomes(**options: Any) -> set[Any]:
        return set(exhaust(program.main, asyncio_hosts, **options).outcomes)

    every = outcomes(algorithm="naive", rewrites=False)
    assert len(every) == 2
    assert outcomes(files=files) == outcomes() == every


def test_a_program_that_holds_the_builtins_keeps_them(load: Load) -> None:
    text = MAIN.format(shop="shopNN") + "import builtins\nNAMES = [vars(builtins)]\n"
    program = load(shopN=SHOP, mainN=text)
    assert PAIR.format(file=Path(program.Shop.buy.__code__.co_filename).name) in explore(program.main).report()
    (kept,) = program.NAMES
    assert kept is vars(builtins)


def test_a_file_that_is_two_modules_is_rewritten_in_both(load: Load) -> None:
    text = MAIN.format(shop="shopNN") + "import backNN\n"
    program = load(shopN=SHOP, backN="def rules():\n    import mainNN\n    return mainNN\n", mainN=text)
    copy = ModuleType("loopspec_program")
    copy.__file__ = program.__file__
    exec(compile(Path(str(program.__file__)).read_text(encoding="utf-8"), str(program.__file__), "exec"), vars(copy))
    for main in (program.main, copy.main):
        found = explore(main, every=True)
        assert PAIR.format(file=Path(program.Shop.buy.__code__.co_filename).name) in found.report()
        assert "not understood" not in found.report()
