"""The walk up the ladder is true: its programs print the output shown, its quotations and names exist, each defect has
a test, and its table is the one that the command prints, except for measured figures.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from impl.ladder import scale
from impl.ladder.command import BOTH, COLUMNS, NOTES, main
from impl.ladder.rung import RUNGS
from impl.ladder.two_schedules import two_schedules

from ...dev.pythons import ROOT
from ...dev.tutorial import Block, blocks, printed, programs
from ...implementations.all_mutants import BY_NAME
from ..shown import LONG

WALK = (ROOT / "impl" / "ladder" / "README.md").read_text(encoding="utf-8")
BLOCKS = blocks(WALK)
QUOTED = [block for block in BLOCKS if block.mark == "from"]

#: How many defects of each kind the texts' sketches have; N6 is no defect, as the texts' Tornado knows its state.
DEFECTS = {"F": 9, "T": 11, "Q": 5, "K": 12, "C": 9, "L": 3, "N": 10, "P": 9}
ALL_DEFECTS = {f"{kind}{n}" for kind, most in DEFECTS.items() for n in range(1, most + 1)} - {"N6"}
ALL_DEFECTS |= {f"S{n}" for n in range(5)}

#: The folders of the files that the walk names.
PLACES = ("", "model_tests/tests", "impl/ladder", "impl/ladder/rungs", "impl/ladder/world")

#: The columns that are not measured.
EXACT = ("rung", "virtual s", "at once", "threads", "in vain", "result", "")


def test_every_fence_is_read() -> None:
    shown = sum(bool(block.shown) for block in BLOCKS)
    assert len(BLOCKS) + shown == WALK.count("\n```") // 2
    assert min(len(QUOTED), len(programs(BLOCKS))) >= 5


@pytest.mark.parametrize("block", QUOTED, ids=lambda block: block.name)
def test_a_quotation_is_in_its_file(block: Block) -> None:
    assert block.text in (ROOT / block.name).read_text(encoding="utf-8")


@LONG
def test_the_programs_run_and_print_what_is_shown(tmp_path: Path) -> None:
    """N8, among others: the sum ends, and prints in the text's order."""
    for block, text in zip(programs(BLOCKS), printed(BLOCKS, tmp_path), strict=True):
        assert text == block.shown


def cells(line: str, *left_out: str) -> dict[str, str]:
    """The cells of a line of the table, by column."""
    found, at = {}, 0
    for name, width in COLUMNS.items():
        if name not in left_out:
            found[name] = line[at : at + width if width else None].strip()
            at += width + 2
    return found


def test_the_table_is_the_commands(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each cell of a rung that runs in virtual time; of the others, which are not run here, the computed cells.

    So each has the reference's result, and the texts' figures come out: 4.5, 4.3, 0.43 and 0.45 s.
    """
    monkeypatch.setattr(scale, "report", list)
    assert main([]) == 0
    virtual = capsys.readouterr().out.splitlines()
    [console] = [block for block in BLOCKS if block.language == "console"]
    command, *real = console.text.splitlines()
    assert command == "$ loopspec ladder --real"
    last = len(RUNGS) + 1
    assert real[0].split() == " ".join(COLUMNS).split()
    for rung, printed_line, shown in zip(RUNGS, virtual[1:last], real[1:last], strict=True):
        ours, theirs = cells(printed_line, "real s"), cells(shown)
        for name in EXACT[:2] if rung.only_real else EXACT:
            assert ours[name] == theirs[name]
        assert theirs["result"] == "equal"
    measured = real[last + len(NOTES) + 3 : -1 - len(two_schedules())]
    assert real[last:] == ["", *NOTES, BOTH, "", *measured, "", *two_schedules()]
    assert len(measured) == 3


@cache
def ladder_tests() -> dict[str, str]:
    """The docstring of each test."""
    return {
        function.name: ast.get_docstring(function) or ""
        for file in (ROOT / "model_tests" / "tests" / "ladder").glob("test_*.py")
        for function in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_")
    }


ROWS = re.findall(r"^\| ([A-Z]\d+(?:, [A-Z]\d+)*) \| .+? \| (.+?) \|$", WALK, re.MULTILINE)


def test_every_defect_has_one_row() -> None:
    named = [defect for row, _ in ROWS for defect in row.split(", ")]
    assert sorted(named) == sorted(ALL_DEFECTS)


@pytest.mark.parametrize(("defects", "check"), ROWS, ids=[row for row, _ in ROWS])
def test_each_defect_has_a_test_that_says_so(defects: str, check: str) -> None:
    """One of the tests in the row of a defect names the defect in its docstring."""
    docstrings = [ladder_tests().get(name, "") for name in re.findall(r"`(test_\w+)`", check)]
    for defect in defects.split(", "):
        assert any(re.search(rf"\b{defect}\b", doc) for doc in docstrings), defect


def test_every_name_exists() -> None:
    names = set(re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", WALK, flags=re.DOTALL | re.MULTILINE)))
    names = {name for name in names if "*" not in name} - {"test_..."}
    assert {name for name in names if name.startswith("test_")} <= ladder_tests().keys()
    files = {name for name in names if re.search(r"\.py$|/$", name)}
    assert len(files) > 20
    assert [name for name in files if not any((ROOT / at / name).exists() for at in PLACES)] == []
    mutants = {name for name in names if re.fullmatch(r"([A-Z][a-z]+){2,}", name)}
    assert "QueueJoinsOnce" in mutants
    assert mutants <= set(BY_NAME)


def test_every_rule_exists() -> None:
    texts = [*(ROOT / "spec").rglob("*.py"), *(ROOT / "impl").rglob("*.py")]
    rules = set(re.findall(r"\b[A-Z]+-\d+\b", "".join(text.read_text(encoding="utf-8") for text in texts)))
    named = set(re.findall(r"\b[A-Z]+-\d+\b", WALK))
    assert {"FUT-2", "CANCEL-1", "QUEUE-7", "CRAWL-2"} <= named <= rules


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", WALK)
    assert [link for link in links if not (ROOT / "impl" / "ladder" / link.partition("#")[0]).exists()] == []


def test_every_rung_is_on_the_way() -> None:
    assert [rung.name for rung in RUNGS if not re.search(rf"`([a-z]+/)?{rung.name}(\.py|/)`", WALK)] == []


SYSTEM_TABLE = WALK.partition("\n## The systems that the project started from\n")[2]
SYSTEMS = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \|$", SYSTEM_TABLE, re.MULTILINE)


def test_the_table_has_a_row_for_each_system() -> None:
    assert [int(number) for number, _, _, _ in SYSTEMS] == list(range(1, 29))
    assert "not yet" not in SYSTEM_TABLE


@pytest.mark.parametrize(("files", "test"), [row[2:] for row in SYSTEMS], ids=[row[1] for row in SYSTEMS])
def test_each_system_has_its_file_and_its_test(files: str, test: str) -> None:
    for file in files.split(", "):
        assert (ROOT / "impl" / "ladder" / file.strip("`")).is_file(), file
    module, _, function = test.strip("`").partition("::")
    text = (ROOT / "model_tests" / "tests" / module).read_text(encoding="utf-8")
    assert f"def {function}(" in text if function else "def test_" in text


def test_the_readme_links_to_it() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(impl/ladder/README.md#the-systems-that-the-project-started-from)" in readme
