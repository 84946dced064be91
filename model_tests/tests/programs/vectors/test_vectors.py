"""The catalogue of vectors: complete, fresh, equal on impl and asyncio except for known bugs, and able to find bugs."""

import ast
import json
import re
import subprocess
from pathlib import Path
from typing import Any, ClassVar

import pytest

import impl
from spec.promises import PROMISES

from ....conformance.vectors import command
from ....dev.pythons import ROOT
from ....dev.releases import installed
from ....implementations.all_mutants import BY_NAME
from ....programs.releases import THIS
from ....programs.runtimes import Ours, PurePython, observe
from ....programs.vectors import play
from ....programs.vectors.catalogue import CATALOGUE
from ....programs.vectors.known_bugs import BUGS, TRIED, Bug
from ....programs.vectors.notation import program
from ....programs.vectors.player import Player
from ....programs.vectors.runtime import Runtime
from ....programs.vectors.vector import FILE, Vector, vectors
from ...fixtures import Captured, Patch

# `Any` in this file: programs and data from JSON.

#: Rules that no vector can show: freedoms of a wait, and claims of a specification about its own state and steps; and
#: rules about how a program is run, which the kit shows (conformance/cases/ways.py).
UNSEEN = {
    *("GRAPH-1", "GRAPH-2", "RUN-1", "RUN-2", "TASK-14", "TASK-25", "TASK-26"),
    *(f"COND-{n}" for n in (2, 10, 11)),
    *(f"QUEUE-{n}" for n in (20, 22, 26, 34, 36, 39, 40)),
    *(f"CANCEL-{n}" for n in (11, 12, 13, 14, 16)),
    *(f"EVENT-{n}" for n in (5, 6, 7, 9, 11, 12, 16, 17, 18)),
    *(f"FUT-{n}" for n in (14, 15, 16, 17, 18, 19, 20, 21)),
    *(f"LOCK-{n}" for n in (11, 13, 14, 15, 16, 17, 20, 21, 22, 23)),
    *(f"TASK-{n}" for n in (15, 16, 17, 18, 19, 20, 22, 23, 24)),
}
#: The families of rules about asyncio's names.
NAMES = {"FUT", "TASK", "CANCEL", "SHIELD", "LOCK", "SEM", "COND", "EVENT", "QUEUE", "TIMEOUT", "GROUP"}
GIVEN = re.compile(r'"""([A-Z]+-\d+): ')
PLAYER = FILE.parent


def texts() -> set[str]:
    """Return the rules that are defined in specifications."""
    return {rule for path in (ROOT / "spec").rglob("*.py") for rule in GIVEN.findall(path.read_text())}


# --- the catalogue -----------------------------------------------------------------------------------------------


def test_every_rule_that_can_be_seen_is_shown() -> None:
    shown = {rule for vector in CATALOGUE for rule in vector.rules}
    promised = {promise.rule for promise in PROMISES if promise.where == "names"}
    specified = {rule for rule in texts() if rule.partition("-")[0] in NAMES}
    assert (promised | specified) - shown == UNSEEN


def test_every_rule_that_is_named_is_given_and_of_the_names() -> None:
    of_names = {promise.rule for promise in PROMISES if promise.where == "names"} | texts()
    assert {(v.name, rule) for v in CATALOGUE for rule in v.rules if rule not in of_names} == set()
    assert {rule for bug in BUGS for rule in bug.rules} <= of_names


def test_names_are_unique_and_programs_small() -> None:
    assert len(CATALOGUE) > 500
    assert len({vector.name for vector in CATALOGUE}) == len(CATALOGUE)
    assert max(len(vector.program["main"]) for vector in CATALOGUE) <= 32
    by_hand = [vector for vector in CATALOGUE if "hand" not in vector.name]
    assert max(len(vector.program["main"]) for vector in by_hand) <= 24


# --- the same everywhere -----------------------------------------------------------------------------------------


def told() -> list[dict[str, Any]]:
    of_file: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["vectors"]
    return of_file


def test_the_file_is_fresh(tmp_path: Path) -> None:
    """Else: loopspec vectors --json model_tests/programs/vectors/vectors.json."""
    assert command.main(["--json", str(tmp_path / "vectors.json")]) == 0
    assert (tmp_path / "vectors.json").read_bytes() == FILE.read_bytes()
    assert json.loads(FILE.read_bytes())["format"] == command.FORMAT


def differing(seen: dict[str, Any], version: tuple[int, ...]) -> dict[str, list[Bug]]:
    """Return the vectors that differ, each with the known bugs of that version that it shows."""
    rules = {vector.name: vector.rules[0] for vector in CATALOGUE}
    differ = [v["name"] for v in told() if seen[v["name"]] not in (None, v["expected"])]
    bugs = [bug for bug in BUGS if bug.meets(version)]
    return {name: [bug for bug in bugs if rules[name] in bug.rules and bug.shown(name)] for name in differ}


def unexplained(seen: dict[str, Any], version: tuple[int, ...]) -> set[str]:
    """Return the vectors that differ and that no known bug of that version explains."""
    return {name for name, bugs in differing(seen, version).items() if not bugs}


def found(seen: dict[str, Any], version: tuple[int, ...]) -> set[tuple[str, str]]:
    """Return the known bugs of that version that a vector shows: issue and first rule."""
    return {(bug.issue, bug.rules[0]) for bugs in differing(seen, version).values() for bug in bugs}


def bugs(version: tuple[int, ...]) -> set[tuple[str, str]]:
    return {(bug.issue, bug.rules[0]) for bug in BUGS if bug.meets(version)}


class Timed(Runtime):
    """A runtime that records the deadlines of all timers."""

    twice: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        deadlines: set[float] = set()
        call_at = self.loop.call_at

        def noted(when: float, *args: Any, **keywords: Any) -> Any:
            Timed.twice += round(when, 6) in deadlines
            deadlines.add(round(when, 6))
            return call_at(when, *args, **keywords)

        self.loop.call_at = noted


@pytest.mark.parametrize("runtime", [Timed, PurePython])
def test_this_asyncio_differs_in_known_bugs_only(runtime: type[Runtime], full: bool) -> None:
    """And no program has two timers with one deadline: their order is not promised."""
    if runtime is PurePython and not full:
        pytest.skip("random programs compare it: --full")
    Timed.twice = 0
    seen = play.play(told(), make=runtime)
    assert Timed.twice == 0
    assert sum(1 for lines in seen.values() if lines is not None) > 480
    assert unexplained(seen, THIS) == set()
    assert found(seen, THIS) == bugs(THIS) or THIS not in TRIED


@pytest.mark.long("other Pythons play it")
def test_other_pythons_differ_in_known_bugs_only() -> None:
    """The player runs on another Python, with the same lines as here."""
    there = installed()
    assert there
    for python in there:
        code = "import json, sys; sys.path.insert(0, sys.argv[1]); import play; " + (
            "seen = play.play(json.load(open(sys.argv[2]))['vectors']);print(json.dumps([sys.version_info[:3], seen]))"
        )
        ran = subprocess.run(
            [python.path, "-W", "ignore", "-c", code, str(PLAYER), str(FILE)],
            capture_output=True,
            text=True,
            check=True,
        )
        version, seen = json.loads(ran.stdout)
        assert unexplained(seen, tuple(version)) == set(), python
        assert found(seen, tuple(version)) == bugs(tuple(version)) or tuple(version) not in TRIED, python


# --- the player --------------------------------------------------------------------------------------------------


def test_the_player_is_short_and_runs_on_python_3_6() -> None:
    assert len((PLAYER / "player.py").read_text().splitlines()) <= 215
    for name in ("player.py", "runtime.py", "play.py", "ancient.py"):
        ast.parse((PLAYER / name).read_text(), feature_version=(3, 6))


def test_a_hang_and_a_livelock_are_seen() -> None:
    assert observe(program("f = future()\nawait f"), "asyncio") == [
        [0, "end", "main", "pending"],
        [0, "end", "f", "pending"],
    ]
    spin = program("def again(): loop.call_soon(again)\nagain()")
    spin["main"] = [["do", ["loop.call_soon", "again"]]]
    assert [0, "end", "livelock", ""] in observe(spin, "asyncio")


# --- they can find bugs ------------------------------------------------------------------------------------------


#: Mutants, and a rule that the vectors name.
WRONG = {
    "QueueHandsItemsOver": "QUEUE-5",
    "QueueJoinsWhenEmpty": "QUEUE-6",
    "EventSetWakesOne": "EVENT-1",
    "LockCancelCancelsOthers": "LOCK-10",
    "wait_for_skips_cleanup": "WAITFOR-2",
}


def broken(name: str, names: Any) -> set[str]:
    """The rules of the programs that use that name and are seen to differ in this namespace."""
    expected = {of_file["name"]: of_file["expected"] for of_file in told()}
    return {
        rule
        for vector in CATALOGUE
        if f'"{name}"' in json.dumps(vector.program)
        and Player(vector.program, Ours(names)).play() != expected[vector.name]
        for rule in vector.rules
    }


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_name_breaks_its_rule(wrong: str) -> None:
    mutant = BY_NAME[wrong]
    assert WRONG[wrong] in broken(mutant.replaces, mutant.names())


def test_a_right_name_breaks_no_rule() -> None:
    assert broken("gather", impl) == set()


# --- how they are written ----------------------------------------------------------------------------------------


def test_a_text_is_read_into_the_format() -> None:
    read = program(
        """
async def a(x=1):
    await q.get()
    return -1
def call(): f.done()
q = Queue(maxsize=2)
A = go(a)
f, g = future(), future()
turn(2)
see(f, A)
del f
yield None
async with timeout(0.5) as t: pass
async for i in q: i.__abs__()
for i in [1, "two"]: raise
with suppress(KeyError): raise
try: raise KeyError(1)
except KeyError: raise ValueError
finally: await a()
"""
    )
    assert read == {
        "main": [
            ["let", "q", ["Queue", {"maxsize": 2}]],
            ["let", "A", ["loop.create_task", ["body", "a"]]],
            ["let", "f", ["loop.create_future"]],
            ["let", "g", ["loop.create_future"]],
            ["turn", 2],
            ["see", "f"],
            ["see", "A"],
            ["forget", "f"],
            ["yield", None],
            ["with", ["timeout", 0.5], "t", []],
            ["async for", "i", "q", [["do", ["i.__abs__"]]]],
            ["for", "i", ["list", 1, "two"], [["raise"]]],
            ["try", [["raise"]], [["KeyError", []]]],
            [
                "try",
                [["raise", "KeyError", 1]],
                [["KeyError", [["raise", "ValueError"]]]],
                [["await", ["body", "a"]]],
            ],
        ],
        "bodies": {"a": [["await", ["q.get"]], ["return", -1]]},
        "callbacks": {"call": [["f.done"]]},
    }


@pytest.mark.parametrize("text", [
    "x += 1", "while True: pass", "x = 1 + 1", "import os", "with Lock(): pass",
    "try: pass\nexcept: pass", "async def a(): pass\na = 1", "with suppress(KeyError, ValueError): pass",
    "f, g = future()", "f, g = future(), future(), future()",
    "f, g = future(), shield(f)", "f.x, g = future(), future()",
])  # fmt: skip
def test_what_the_format_cannot_say_is_refused(text: str) -> None:
    with pytest.raises(SyntaxError):
        program(text)


def test_a_text_of_vectors_is_parted() -> None:
    text = "\n# one is so: FUT-1 FUT-2\nf = future()\n\n# two: a, b: GROUP-1, since 3.11\nsee(f)\n"
    assert vectors(f"# before:\ng = future()\n{text}# before:\n{text}")[1:3] == [
        Vector("two: a, b", ("GROUP-1",), program("g = future()\nsee(f)"), (3, 11)),
        Vector("one is so", ("FUT-1", "FUT-2"), program("f = future()"), (3, 6)),
    ]


@pytest.mark.parametrize(("line", "text"), [
    (1, "f = future()"),
    (1, "f = future()\n# one: FUT-1\n"),
    (3, "# one: FUT-1\nf = future()\n#two: FUT-1\n"),
    (4, "\n# one: FUT-1\n\n# two: FUT-1\nlambda: 1\n"),
    (2, "# before:\n# one: FUT-1\nf = (\n"),
])  # fmt: skip
def test_a_wrong_text_is_refused_with_its_line(line: int, text: str) -> None:
    with pytest.raises(SyntaxError) as error:
        vectors(text, file="some.txt")
    assert (error.value.filename, error.value.lineno) == ("some.txt", line)


# --- the command -------------------------------------------------------------------------------------------------


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.setattr(command, "lines", lambda search: iter(["one", "two"]))
    assert command.main([]) == 0
    assert capsys.readouterr().out == "one\ntwo\n"
    assert command.main(["--json", str(tmp_path / "no" / "v.json")]) == 2
    assert capsys.readouterr().err.startswith("loopspec vectors: --json: cannot write")
