"""A failing program is shrunk, and printed as a script that needs only Python and shows the same failure."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ...programs.generate import seeded
from ...programs.runtimes import Program, observe
from ...programs.script import ASYNCIO, ScriptSubject, script, spoken, usual
from ...programs.shrink import made, said, shrink, size, smaller, tidy
from ...programs.vectors.catalogue import CATALOGUE
from ..process import python

# `Any` in this file: programs are JSON.
SCRIPTS = 40
DRIVER = """
import os, runpy, sys, traceback

for path in sys.argv[1:]:
    print("==", flush=True)
    if not (child := os.fork()):
        try:
            runpy.run_path(path, run_name="__main__")
        except BaseException:
            traceback.print_exc()
        os._exit(1)
    os.waitpid(child, 0)
"""


def printed(tmp_path: Path, scripts: list[str]) -> list[list[str]]:
    """Return the output of each script, in one Python that imports asyncio once."""
    paths = [tmp_path / f"{number}.py" for number in range(len(scripts))]
    for path, text in zip(paths, scripts, strict=True):
        path.write_text(text)
    ran = python("-W", "ignore", "-c", "import asyncio\n" + DRIVER, *paths, cwd=tmp_path, check=True)
    assert ran.stderr == ""
    return [told.splitlines() for told in ran.stdout.split("==\n")[1:]]


def test_scripts_print_what_their_programs_see(tmp_path: Path) -> None:
    programs = [seeded(seed) for seed in range(SCRIPTS)]
    expected = [[spoken(line) for line in observe(program, "asyncio")] for program in programs]
    assert printed(tmp_path, [script(program) for program in programs]) == expected
    assert sum(map(len, expected)) > 10 * SCRIPTS


# Before 3.13 a group does not close a coroutine that it refuses (GROUP-7).
@pytest.mark.filterwarnings("ignore:coroutine 'Player.body' was never awaited")
# Some vectors leave tasks that refuse to end, such as those about GeneratorExit.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_scripts_of_vectors_too(tmp_path: Path) -> None:
    """The vectors use the whole language."""
    vectors = [vector for vector in CATALOGUE[::10] if vector.since <= sys.version_info[:2]]
    expected = [[spoken(line) for line in observe(vector.program, "asyncio")] for vector in vectors]
    assert printed(tmp_path, [script(vector.program) for vector in vectors]) == expected


EVERYTHING: Program = {
    "main": [
        ["let", "f", ["loop.create_future"]],
        ["let", "e", ["derive", "Odd", "KeyError"]],
        ["do", ["f.add_done_callback", "seen"]],
        ["let", "t", ["create_task", ["body", "lambda"], {"name": "tee"}]],
        ["try", [["await", ["wait_for", "f", 0.01]]], [["TimeoutError", [["see", "f"]]]], [["turn"]]],
        ["with", ["timeout", None], "limit", [["turn", 2], ["see", "t"]]],
        ["for", "step", ["as_completed", ["list", "t"]], [["await", "step"]]],
        ["await", ["gather", "t", {"return_exceptions": True}]],
        ["try", [["try", [["raise", "KeyError", 1]], [], []]], [["KeyError", [["raise"]]]]],
    ],
    "bodies": {"lambda": [["try", [], [["ValueError", []]]], ["return", 5]]},
    "callbacks": {"seen": [["f.cancelled"]]},
}


def test_time_jumps_or_the_loop_has_a_clock_of_its_own(tmp_path: Path) -> None:
    """The name of a body may be a keyword; blocks may be empty; `raise` raises again."""
    own = replace(ASYNCIO, loop="asyncio.new_event_loop()")
    told, also = printed(tmp_path, [script(EVERYTHING), script(EVERYTHING, subject=own)])
    assert told == also == [spoken(line) for line in observe(EVERYTHING, "asyncio")]
    assert "main: await wait_for(f, 0.01) -> raised TimeoutError()" in told


def test_a_script_says_what_was_expected_and_what_was_seen() -> None:
    program = {"main": [["do", ["main.cancelling"]]], "bodies": {}}
    expected, seen = [[0, "main", "main.cancelling()", "0"]], [[7, "main", "main.cancelling()", "1"]]
    text = script(program, expected, seen)
    assert text.endswith(
        "\n# expected:\n# ! main: main.cancelling() -> 0\n\n# seen:\n# ! main: main.cancelling() -> 1  (7 ms)\n"
    )
    same = script(program, expected, expected)
    assert "# !" not in same


def test_a_script_may_be_about_another_subject(tmp_path: Path) -> None:
    """A subject has its own imports, spelling and loop."""
    (tmp_path / "odd.py").write_text(
        "import asyncio\nclass Lock(asyncio.Lock):\n    def locked(self):\n        return 7\n"
    )
    subject = ScriptSubject(
        "import sys\nsys.path.insert(0, '.')\nimport odd\n",
        lambda name: f"odd.{name}" if name == "Lock" else usual(name),
    )
    program = {"main": [["let", "lock", ["Lock"]], ["await", ["lock.acquire"]]], "bodies": {}}
    (told,) = printed(tmp_path, [script(program, subject=subject)])
    assert told == ["main: await lock.acquire() -> True", "end: main -> gave None", "end: lock -> locked=7"]


# --- shrinking -----------------------------------------------------------------------------------------------


def cancels(program: Program) -> bool:
    """Return whether it shows a cancel."""
    return any("CancelledError" in line[3] for line in observe(program, "impl"))


@pytest.mark.parametrize("seed", [seed for seed in range(40) if cancels(seeded(seed))][:10])
def test_what_is_shrunk_is_small_and_still_fails(seed: int) -> None:
    before = seeded(seed)
    after = shrink(before, cancels)
    assert cancels(after)
    assert size(after) <= 8 < size(before)
    assert not any(cancels(tidy(candidate)) for candidate in smaller(after) if whole(candidate, before))


def whole(candidate: Program, before: Program) -> bool:
    candidate = tidy(candidate)
    return not (made(before) & said(candidate)) - made(candidate)


def test_what_cannot_be_shrunk_stays() -> None:
    program = {"main": [["turn", 1]], "bodies": {}, "callbacks": {}}
    assert shrink(program, lambda candidate: candidate == program) == program


@pytest.mark.parametrize(("statement", "wanted"), [
    (["turn", 3], [["turn", 1]]),
    (["await", ["sleep", 1]], [["await", ["sleep", 1]]]),
    (["do", ["f.cancel", "why"]], [["do", ["f.cancel"]]]),
    (["await", ["gather", "f", "g"]], [["await", "f"]]),
    (["with", ["Lock"], None, [["turn", 1]]], [["turn", 1]]),
    (["try", [["turn", 1]], [["KeyError", []]], [["turn", 2]]], [["turn", 1]]),
    (["let", "t", ["ensure_future", ["body", "b"]]], [["let", "t", ["create_task", ["body", "b"]]]]),
])  # fmt: skip
def test_statements_become_simpler(statement: list[Any], wanted: list[Any]) -> None:
    """The program fails as long as it has a statement of that kind."""
    program = {"main": [statement, ["turn", 2]], "bodies": {"b": []}, "callbacks": {}}
    kind = wanted[0][0]
    after = shrink(program, lambda candidate: any(s[0] == kind for s in candidate["main"][:1]))
    assert after["main"] == wanted
