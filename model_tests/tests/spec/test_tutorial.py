"""The tutorial is correct: its programs run, its commands print the shown output, its file has the stated length.

`model_tests/dev/tutorial.py` runs the blocks; here their output is compared, except for seconds.  `make docs` updates
the tutorial after a change elsewhere.  At the end is the tutorial of the rate limiter: its commands, run in
order in one folder, print the shown output.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import impl
from spec.crawl import fifo_model, site
from spec.kit import Holds, Rejected, Spec, SpecError
from spec.queue import Queue, queue, queue_model
from spec.stream import stream, stream_model

from ...dev.pythons import ROOT
from ...dev.tutorial import LIMITER, PLACE, Block, blocks, printed, programs, replayed, run, timeless, typed
from ...programs.tables import texts
from ...refinement.check_implementation import check_implementation
from ...refinement.implementations import implementation_of
from ...refinement.machines.queue import queue_adapter
from ...refinement.subjects import IMPL
from ..fixtures import Captured
from ..process import copied, python
from ..shown import LONG, case

TUTORIAL = PLACE.read_text(encoding="utf-8")
BLOCKS = blocks(TUTORIAL)
QUOTED = [block for block in BLOCKS if block.mark == "from"]
FILES = [block for block in BLOCKS if block.mark == "file"]
CONSOLES = [block for block in BLOCKS if block.language == "console"]


def test_every_fence_is_read() -> None:
    shown = sum(bool(block.shown) for block in BLOCKS)
    assert len(BLOCKS) + shown == TUTORIAL.count("\n```") // 2
    assert min(map(len, (QUOTED, FILES, programs(BLOCKS), CONSOLES))) > 0


@pytest.mark.parametrize("block", QUOTED, ids=lambda block: block.name)
def test_what_is_quoted_stands_there(block: Block) -> None:
    assert block.text in (ROOT / block.name).read_text(encoding="utf-8")


@LONG
def test_the_programs_run_and_print_what_is_shown(tmp_path: Path) -> None:
    for block, text in zip(programs(BLOCKS), printed(BLOCKS, tmp_path), strict=True):
        assert text == block.shown


@pytest.mark.parametrize("block", [case(block) for block in CONSOLES])
def test_the_commands_print_what_is_shown(block: Block, tmp_path: Path) -> None:
    if "loopspec prove" in block.text:
        pytest.importorskip("z3", reason="the proofs need the extra `prove`")
    assert timeless(typed(block, BLOCKS, tmp_path)) == timeless(block.text)


def test_the_file_of_a_user_is_short_and_can_fail(tmp_path: Path) -> None:
    """12 lines; a wrong version of it is refuted by the command and by the file itself."""
    file = next(file for file in FILES if file.name == "mine.py")
    assert len([line for line in file.text.splitlines() if line.strip()]) <= 12
    assert file.text.count("<=") == 1
    (tmp_path / "wrong.py").write_text(file.text.replace("<=", "<"), encoding="utf-8")
    for arguments in (["-m", "model_tests.commands.cli", "check", "wrong.py"], ["wrong.py"]):
        ran = run([sys.executable, *arguments], tmp_path, check=False)
        assert ran.returncode == 1
        assert "(MY-1) is broken after" in ran.stdout + ran.stderr


@pytest.mark.long("a second")
def test_a_stream_is_held_too(capsys: Captured) -> None:
    check_implementation(Holds(stream, "small", lambda: [stream_model(2, 1, 1)]), examples=5)
    told = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"check: [\d,]+ states, [\d,]+ edges, depth \d+", told[0])
    assert re.fullmatch(r"monitor: 120 runs, [\d,]+ lines", told[1])
    assert told[2:] == ["machine: 5 examples"]


def test_the_implementation_of_a_text_that_derives_from_a_derived_one() -> None:
    mine = Spec("mine", Queue, extends=Spec("between", Queue, extends=queue))
    assert implementation_of(mine) is implementation_of(queue)


def test_what_nothing_implements_is_told_at_once() -> None:
    with pytest.raises(SpecError, match="crawl_fifo: nothing here implements it; it may derive from queue, "):
        check_implementation(fifo_model(site({0: ()}, {})))


def test_monitor_and_machine_refuse_what_the_reference_does_not_do() -> None:
    picky = Spec("picky", Queue, extends=queue, without=["unwind", "comes_to_rest"])
    with pytest.raises(Rejected, match="return cancelled to"):
        check_implementation(queue_model(2, 1, 2, spec=picky))
    with pytest.raises(Rejected, match=r"the loop is idle\n  still due: .*return 0 to 0"):
        check_implementation(queue_model(2, 1, 2), make=queue_adapter(replace(IMPL, new_queue=Deaf)))


class Deaf(impl.Queue[object]):
    """A put wakes no getter."""

    def put_nowait(self, item: object) -> None:
        getters, self._getters = self._getters, type(self._getters)()
        super().put_nowait(item)
        self._getters = getters


# Additions to a shipped specification, without another change: explored, in the machine, in the document.

READERS, NEVER_FULL, EXPIRE, QSIZE = texts(Path(__file__).with_name("additions.txt")).values()


def add(text: str, folder: Path) -> None:
    """Put a copy of `spec/` there, with that at the end of its queue."""
    copied("spec", folder)
    with (folder / "spec" / "queue" / "specification.py").open("a", encoding="utf-8") as queue:
        queue.write(f"\n{text}")


@pytest.mark.parametrize(("added", "explored", "driven", "long"), [
    ("", r"Counts\(models=1, states=584, edges=2944, depth=10\)", r"None$", True),
    (NEVER_FULL, r"queue: never_full \(MY-9\) is broken after 1 step\n", r"it breaks never_full\n", True),
    (EXPIRE, r"Counts\(models=1, states=584, edges=(?!2944)\d+, ", r"queue: rejected at line", True),
    (QSIZE, r"Counts\(models=1, states=584, edges=(?!2944)\d+, ", r"None$", True),
    (QSIZE.replace("len(s.buf)", "len(s.buf) + 1"), r"Counts\(", r"return 0 to \d\n", True),
    (QSIZE.replace("qsize", "weight"), r"Counts\(", r"queue\.weight: the adapter does not know this action", False),
], ids=["nothing", "invariant", "hidden action", "visible action", "wrong answer", "not implemented"])  # fmt: skip
def test_an_addition(added: str, explored: str, driven: str, long: bool, tmp_path: Path, full: bool) -> None:
    if long and not full:
        pytest.skip("the others add as much: --full")
    add(added, tmp_path)
    ran = run([sys.executable, "-c", READERS], tmp_path)
    by_search, by_machine, document = json.loads(ran.stdout)
    assert re.match(explored, by_search)
    assert re.search(driven, by_machine)
    assert ("MY-9" in document) == bool(added)


@pytest.mark.long("all specifications are checked")
def test_the_check_of_all_finds_it(tmp_path: Path) -> None:
    add(NEVER_FULL, tmp_path)
    ran = python("-m", "spec", "queue", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert len(re.findall(r"^queue: never_full \(MY-9\) is broken after [12] steps?$", ran.stdout, re.M)) == 4


# The rate limiter.

LIMITER_TEXT = LIMITER.read_text(encoding="utf-8")
LIMITER_BLOCKS = blocks(LIMITER_TEXT)


def test_every_fence_of_the_limiter_is_read() -> None:
    assert len(LIMITER_BLOCKS) == LIMITER_TEXT.count("\n```") // 2
    assert programs(LIMITER_BLOCKS) == []


@LONG
def test_the_commands_of_the_limiter_print_what_is_shown(tmp_path: Path) -> None:
    pytest.importorskip("z3", reason="the proofs need the extra `prove`")
    shown = [block.text for block in LIMITER_BLOCKS if block.language == "console"]
    assert list(map(timeless, replayed(LIMITER_BLOCKS, tmp_path))) == list(map(timeless, shown))


def test_it_shows_each_step_from_new_to_a_bug_that_is_refuted() -> None:
    commands = [line for block in LIMITER_BLOCKS for line in block.text.splitlines() if line.startswith("$ ")]
    used = (
        "loopspec new ", "loopspec check ", "loopspec step ", " --trace ", "python held.py bucket", "-m pytest ",
        "loopspec prove ",
    )  # fmt: skip
    assert [word for word in used if not any(word in command for command in commands)] == []
    shown = [block.text for block in LIMITER_BLOCKS if "held.py bucket" in block.text or "-rN" in block.text]
    assert ["limiter: rejected at line 8: the loop is idle\n" in text for text in shown] == [True, True]


@pytest.mark.parametrize("page", ["README.md", "model_tests/documents/site/specify.md", "spec/README.md"])
def test_the_pages_of_that_entrance_lead_here(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert "LIMITER.md)" in text
    assert "loopspec new" in text
