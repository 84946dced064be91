"""The entrances and guides of the site are correct: their programs and commands print the shown output."""

import json
import re
from pathlib import Path

import pytest

from ....commands.cli import main as loopspec
from ....dev.pythons import ROOT
from ....dev.tutorial import LADDER, LIMITER, PAGES, PLACE, Block, blocks, printed, programs, same, typed
from ....documents.site.documents import ENTRANCES
from ...shown import case

TEXTS = {path.name: path.read_text(encoding="utf-8") for path in PAGES if path.name != "README.md"}
BLOCKS = {name: blocks(text) for name, text in TEXTS.items()}
CONSOLES = [(name, block) for name, of in BLOCKS.items() for block in of if block.language == "console"]
#: The lines of an entrance: a screen, and the output of its programs.
MOST_LINES = 110


def test_every_entrance_has_commands_with_their_output() -> None:
    assert TEXTS.keys() >= ENTRANCES.keys()
    for name in ENTRANCES:
        commands = [line for _, block in CONSOLES if _ == name for line in block.text.splitlines()]
        assert 2 <= sum(line.startswith("$ ") for line in commands) <= 4, name
        assert len(TEXTS[name].splitlines()) <= MOST_LINES, name


@pytest.mark.parametrize("name", TEXTS)
def test_every_fence_is_read(name: str) -> None:
    shown = sum(bool(block.shown) for block in BLOCKS[name])
    assert len(BLOCKS[name]) + shown == TEXTS[name].count("\n```") // 2


@pytest.mark.parametrize("name", [name for name, of in BLOCKS.items() if programs(of)])
def test_the_programs_run_and_print_what_is_shown(name: str, tmp_path: Path) -> None:
    for block, text in zip(programs(BLOCKS[name]), printed(BLOCKS[name], tmp_path), strict=True):
        assert text == block.shown


@pytest.mark.parametrize(("name", "block"), [case(block, name) for name, block in CONSOLES])
def test_the_commands_print_what_is_shown(name: str, block: Block, tmp_path: Path) -> None:
    assert same(block.text, typed(block, BLOCKS[name], tmp_path))


def test_only_the_runs_of_asyncio_programs_may_differ() -> None:
    """A crawl has the same events everywhere, so a document that shows others is stale."""
    asyncio_run, crawl = (
        next(block.text for name, block in CONSOLES if name == page and "digest: " in block.text)
        for page in ("programs.md", "crawler.md")
    )
    for text, differs in ((asyncio_run, True), (crawl, False)):
        for line in ("events: ", "digest: "):
            other = re.sub(rf"(?<={line})\w", "0", text)
            assert other != text
            assert same(other, text) == differs
        assert not same(text.replace("virtual time", "time"), text)


def test_the_steps_of_teaching_are_those_that_it_says(tmp_path: Path) -> None:
    [wake] = [block for block in BLOCKS["teach.md"] if block.name == "wake.py"]
    (tmp_path / "wake.py").write_text(wake.text, encoding="utf-8")
    assert loopspec(["run", f"{tmp_path}/wake.py:main", "--html", str(tmp_path / "wake.html")]) == 0
    drawn = re.search(r'id="data">(.*?)</script>', (tmp_path / "wake.html").read_text(encoding="utf-8"), re.S)
    assert drawn is not None
    [scene] = json.loads(drawn[1])["scenes"]
    steps = [f"{scene['lanes'][row[0]]} {row[1]}" for row in scene["rows"]]
    assert len(steps) == 26
    for step, said in {
        11: "main resolves future",
        12: "main requests to cancel sleeper",
        13: "main cancels future",
        14: "main waits",
        15: "listener gets the turn",
        17: "sleeper gets the turn",
        18: "sleeper gets CancelledError",
        23: "loop creates shutdown_asyncgens",
    }.items():
        assert steps[step - 1].startswith(said), step


def test_a_link_that_only_the_site_has_is_said_to_be_one() -> None:
    linked = 0
    for name, text in TEXTS.items():
        for part in re.split(r"\n(?=- |\n)", text):
            if "](/" in part:
                linked += 1
                assert "on the site (`make site`)" in part.lower(), name
    assert linked >= 3


@pytest.mark.parametrize("path", [PLACE, LIMITER, LADDER, *PAGES], ids=lambda path: path.name)
def test_a_page_that_imports_says_how_an_installed_package_is_imported(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    imports = re.search(r"^(from|import) (spec|impl|model_tests)\b", text, re.MULTILINE)
    assert bool(imports) <= ("`from loopspec" in text)


def test_there_is_a_program_for_each_part() -> None:
    texts = "".join(block.text for of in BLOCKS.values() for block in programs(of))
    for part in (
        "impl.run(main())",
        "impl.Choices.seeded(",
        "@queue.invariant",
        "simulate(",
        "simulate_trio(",
        "model_tests.conform(",
    ):
        assert part in texts, part


def test_a_seed_is_one_schedule() -> None:
    (block,) = (block for block in programs(BLOCKS["loop.md"]) if "Choices.seeded" in block.text)
    first, again, other = block.shown.splitlines()
    assert first == again
    assert sorted(first.split()) == sorted(other.split()) == list("abcdef")
    assert first != other


def test_the_crawl_that_is_shown_is_that_of_make_crawl() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (options,) = re.findall(r"bin/loopspec (simulate .*)$", makefile, re.MULTILINE)
    assert f"$ .venv/bin/loopspec {options}\n" in TEXTS["crawler.md"]


def test_the_race_is_the_example() -> None:
    (shop,) = (block for block in BLOCKS["race.md"] if block.mark == "file")
    assert shop.text == (ROOT / "model_tests" / "examples" / "shop.py").read_text(encoding="utf-8")
