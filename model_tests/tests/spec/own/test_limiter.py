"""The tutorial of the rate limiter is correct: its commands, run in order in one folder, print the shown output."""

from __future__ import annotations

from pathlib import Path

import pytest

from ....dev.pythons import ROOT
from ....dev.tutorial import LIMITER, blocks, programs, replayed, timeless
from ...shown import LONG

TUTORIAL = LIMITER.read_text(encoding="utf-8")
BLOCKS = blocks(TUTORIAL)


def test_every_fence_is_read() -> None:
    assert len(BLOCKS) == TUTORIAL.count("\n```") // 2
    assert programs(BLOCKS) == []


@LONG
def test_the_commands_print_what_is_shown(tmp_path: Path) -> None:
    pytest.importorskip("z3", reason="the proofs need the extra `prove`")
    shown = [block.text for block in BLOCKS if block.language == "console"]
    assert list(map(timeless, replayed(BLOCKS, tmp_path))) == list(map(timeless, shown))


def test_it_shows_each_step_from_new_to_a_bug_that_is_refuted() -> None:
    commands = [line for block in BLOCKS for line in block.text.splitlines() if line.startswith("$ ")]
    used = (
        "loopspec new ", "loopspec check ", "loopspec step ", " --trace ", "python held.py bucket", "-m pytest ",
        "loopspec prove ",
    )  # fmt: skip
    assert [word for word in used if not any(word in command for command in commands)] == []
    shown = [block.text for block in BLOCKS if "held.py bucket" in block.text or "-rN" in block.text]
    assert ["limiter: rejected at line 8: the loop is idle\n" in text for text in shown] == [True, True]


@pytest.mark.parametrize("page", ["README.md", "model_tests/documents/site/specify.md", "spec/README.md"])
def test_the_pages_of_that_entrance_lead_here(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert "LIMITER.md)" in text
    assert "loopspec new" in text
