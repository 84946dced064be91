"""The README is short, begins with a race, and shows the output of its programs and its command."""

import re
import sys
from pathlib import Path

from ..commands import cli
from ..dev.pythons import ROOT
from ..dev.tutorial import Shell, blocks, printed, programs, same, typed
from ..documents.site.documents import ENTRANCES, HERE
from .shown import LONG

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = blocks(README)
CONSOLES = [block for block in BLOCKS if block.language == "console"]
PICTURE = ROOT / "model_tests" / "examples" / "shop.svg"
#: The bytes that one screen an entrance takes.
MOST_BYTES = 8_000


def test_it_is_short() -> None:
    assert len(README.encode()) <= MOST_BYTES


def test_the_picture_is_what_the_command_draws(tmp_path: Path) -> None:
    """`make docs` draws it anew."""
    drawn = tmp_path / "shop.svg"
    assert cli.main(["explore", "model_tests/examples/shop.py:main", "--svg", str(drawn)]) == 1
    assert drawn.read_text(encoding="utf-8") == PICTURE.read_text(encoding="utf-8")
    assert f"]({PICTURE.relative_to(ROOT)})" in README


def test_every_fence_is_read() -> None:
    shown = sum(bool(block.shown) for block in BLOCKS)
    assert len(BLOCKS) + shown == README.count("\n```") // 2


@LONG
def test_the_programs_run_with_the_wheel_and_print_what_is_shown(staged: Path, tmp_path: Path) -> None:
    shell = Shell(Path(sys.executable), (staged,))
    for block, text in zip(programs(BLOCKS), printed(BLOCKS, tmp_path, shell), strict=True):
        assert text == block.shown
    for part in ("impl.run(main())", "loopspec.conform("):
        assert [block for block in programs(BLOCKS) if part in block.text], part


def test_the_first_screen_is_a_race_its_command_and_the_report(tmp_path: Path) -> None:
    (console,) = CONSOLES
    first = README[: README.index("```console")]
    assert re.search(r"^    pip install \.$", first, re.MULTILINE)
    assert len(first.splitlines()) < 40
    program = (ROOT / "model_tests" / "examples" / "shop.py").read_text(encoding="utf-8")
    assert f"```python\n{program}```" in first
    lines = [line for line in program.splitlines() if line and not line.startswith("import ")]
    assert len(lines) == 9  # eight, and the `async def` around them
    assert re.search(r"^\$ loopspec explore shop.py:main$", console.text, re.MULTILINE)
    assert len(console.text.splitlines()) <= 12
    assert same(console.text, typed(console, BLOCKS, tmp_path))


def test_it_names_the_two_commands_and_each_entrance() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "check"):
        assert re.search(rf"^    make {target}\b", README, re.MULTILINE)
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    for page in ENTRANCES:
        assert f"({HERE}/{page})" in README


def test_a_console_block_that_is_wrong_is_noticed() -> None:
    (console,) = CONSOLES
    whole = console.text.replace("\n...\n", "\na line\ntoken: lsac2-A\n")
    assert same(console.text, whole)
    assert same(whole.replace("lsac2-A", "lsac2-B"), whole)
    assert not same(console.text.replace("KeyError", "ValueError"), whole)
    assert not same(console.text.replace("  load  ", "  lead  "), whole)
    assert not same(whole, console.text)
