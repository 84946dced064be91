"""The badge of a report: its counts, its text and colour, and when there is none."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from ...conformance import command
from ...conformance.findings.badge import badge, kept
from ...conformance.judge import State
from ..fixtures import Captured


@pytest.mark.parametrize(("states", "good", "judged"), [
    ({}, 0, 0),
    ({State.HELD: 150, State.ABSENT: 13}, 150, 150),
    ({State.HELD: 140, State.TIMING: 4, State.KNOWN: 1, State.OPEN: 7}, 145, 145),
    ({State.HELD: 130, State.BROKEN: 13}, 130, 143),
])  # fmt: skip
def test_a_badge_counts_what_was_judged(states: dict[State, int], good: int, judged: int) -> None:
    assert kept(states) == (good, judged)
    drawn = ElementTree.fromstring(badge("a <loop> & more", states))
    assert drawn.get("aria-label") == f"loopspec: {good} of {judged} rules"
    title, left, right = (
        each.text or "" for each in drawn if "rect" not in each.tag and "path" not in each.tag
    )
    assert title.startswith("a <loop> & more: ")
    assert (left, right) == ("loopspec", f"{good} of {judged} rules")
    assert ("#b3261e" in badge("", states)) == (good != judged)


@pytest.mark.parametrize(("bound", "status"), [([], 0), (["--max-seconds", "1"], 3)])
def test_the_command_writes_a_badge(tmp_path: Path, capsys: Captured, bound: list[str], status: int) -> None:
    file = tmp_path / "badge.svg"
    only = ["--only", "QUEUE-5", "--random", "0"] if not bound else []
    assert command.main(["asyncio", *only, *bound, "--badge", str(file)]) == status
    assert file.exists() == (status == 0)
    assert ("so there is no badge" in capsys.readouterr().err) == (status == 3)
