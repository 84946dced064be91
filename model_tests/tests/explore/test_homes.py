"""Where a program has its state: a report names it, or shows the lines that touch it."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from impl.explore import explore

from ..fixtures import Patch

#: After `== TITLE: WORD` (the word of the report; none: the lines are shown), the head of a program, an expression that
#: reads a number, and a statement that writes `n`.
ROW = re.compile(r"== (.+?): ?(.*)\n((?s:.*?))read: (.+)\nwrite: (.+)")
HOMES = {title: row for title, *row in ROW.findall(Path(__file__).with_name("homes.txt").read_text(encoding="utf-8"))}

PROGRAM = """
import asyncio
{head}

def read():
    return {read}

def write(n):
    {write}

async def main():
    write(0)

    async def add(n, pauses):
        for _ in range(pauses):
            await asyncio.sleep(0)
        seen = {read}
        await asyncio.sleep(0)
        write(seen + n)

    await asyncio.gather(add(1, 0), add(2, 3))
    assert read() == 3, read()
"""


@pytest.mark.short(
    "attribute", "global", "dict", "closure", "default argument", "deque", "match", "setattr", "property", "with file",
    "environ", "lru_cache", "dataclass slots", "sqlite", "ctypes", "contextvar object", why="a search each",
)  # fmt: skip
@pytest.mark.parametrize("home", HOMES)
def test_state_has_a_name_or_its_lines_are_shown(home: str, tmp_path: Path, monkeypatch: Patch) -> None:
    word, head, read, write = HOMES[home]
    if "numpy" in head:
        pytest.importorskip("numpy")
    name = f"home_{list(HOMES).index(home)}"
    path = tmp_path / f"{name}.py"
    path.write_text(PROGRAM.format(head=head, read=read, write=write))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    main = import_module(name).main
    assert explore(main, every=True).failure is not None
    report = explore(main).report()
    if word:
        assert f"  {word}: add " in report or f"writes {word}" in report
    else:
        assert any(f"runs `{line.strip()}`" in report for line in path.read_text().splitlines())
