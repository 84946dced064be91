"""Players of other languages: the protocol, the verdicts, and the player in JavaScript with ten bugs."""

import shlex
import shutil
import sys
from functools import cache
from pathlib import Path

import pytest

from ....conformance.judge import State
from ....conformance.vectors import command
from ....conformance.vectors.command import stored
from ....conformance.vectors.session import Session
from ....conformance.vectors.verdicts import VectorVerdict, verdict
from ....programs.releases import THIS
from ....programs.vectors.catalogue import CATALOGUE
from ....programs.vectors.known_bugs import BUGS
from ....programs.vectors.vector import FILE
from ...fixtures import Captured

PLAYERS = FILE.parent / "players"
HELLO = 'print(\'{"format": 1, "names": ["sleep"]}\', flush=True)\n'
ANSWER = "input(); print({!r}, flush=True)\n"
#: A player, and the verdict on it.
BAD = {
    "raise SystemExit(3)": "it ended at its start, with status 3",
    "raise ValueError('why')": "with status 1: ValueError: why",
    "print('hello')": "no object of JSON at its start: hello",
    "print('[]')": "no object of JSON at its start: []",
    'print(\'{"format": 2, "names": []}\')': 'its first line is not {"format": 1, "names": [...]}',
    'print(\'{"format": 1, "names": 3}\')': 'its first line is not {"format": 1, "names": [...]}',
    'print(\'{"format": 1, "python": "three"}\')': 'its first line is not {"format": 1, "names": [...]}',
    "import time; time.sleep(60)": "no answer within 1 s at its start",
    HELLO + "input(); raise KeyError(1)": "it ended at the vector",
    HELLO + "import time; time.sleep(60)": "no answer within 1 s at the vector",
    HELLO + ANSWER.format('{"lines": 3}'): 'its answer is not {"lines": [...]}: {"lines": 3}',
    HELLO + ANSWER.format('{"lines": [["0", "a", "b", "c"]]}'): 'its answer is not {"lines": [...]}',
    HELLO + ANSWER.format("42"): "no object of JSON at the vector",
}
#: Texts of primitives.js, and their replacements: each is a bug.
BUGGY = {
    "a getter is forgotten": ("if (woken && is_free()) wake_next(line);", ""),
    "the newest getter first": ("const waiter = line.shift();", "const waiter = line.pop();"),
    "a queue without a bound": ("this.maxsize > 0 && this.items.length >=", "false && this.items.length >="),
    "a join that never waits": ("if (this.unfinished === 0) return null;", "return null;"),
    "a shutdown wakes no waiter": ("[...this.getters.splice(0), ...this.putters.splice(0)]", "[]"),
    "a woken getter trusts it": (
        "while (this.empty() && !this.is_shut) yield",
        "if (this.empty() && !this.is_shut) yield",
    ),
    "a lock that is lost": ("if (!this.held) this.wake();", ""),
    "a lock for two": ("remove(this.waiters, waiter);\n    return (this.held = true);", "return true;"),
    "a permit that is lost": ('if (waiter.state === "gave") this.value += 1;', ""),
    "a cancel that is not noticed": ("if (!this.taken) Object.assign", "if (false) Object.assign"),
    "an uncancel that withdraws nothing": (
        "--this.requests === 0) this.must_cancel = false;",
        "--this.requests);",
    ),
    "a task that begins at once": (
        "loop.soon.push(() => this.step());\n  }\n  get_name",
        "this.step();\n  }\n  get_name",
    ),
}


def judged(line: str, about: str = "", seconds: float = 60) -> VectorVerdict:
    rows = [pair for pair in zip(CATALOGUE, stored(), strict=True) if pair[0].rules[0].startswith(about)]
    with Session(line, seconds) as session:
        return verdict(session, rows)


@cache
def on_asyncio() -> VectorVerdict:
    return judged(shlex.join([sys.executable, str(FILE.with_name("play.py"))]))


def test_asyncio_breaks_only_what_its_known_bugs_break() -> None:
    """Through the protocol as in the kit; each vector that it can play is judged."""
    found = on_asyncio()
    bugs = {rule for bug in BUGS for rule in bug.rules if bug.meets(THIS)}
    assert set(found.broken) <= bugs
    assert found.skipped == sum(vector.since > THIS for vector in CATALOGUE)
    opened = {rule for rule, of in found.rules.items() for _, verdict, _ in of if verdict.state is State.OPEN}
    assert opened <= bugs
    lines = list(found.lines())
    assert f"{'QUEUE-3':<12}{'held':<20}4 vectors" in lines
    assert lines[-1].startswith(f"{len(CATALOGUE) - found.skipped} vectors: ")


@pytest.mark.parametrize("code", BAD)
def test_a_player_that_keeps_no_protocol_is_one_line(code: str, capsys: Captured) -> None:
    line = shlex.join([sys.executable, "-c", code])
    assert command.main(["--player", line, "--timeout", "1" if "sleep" in code else "60"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("loopspec vectors: the player: ")
    assert BAD[code] in err


@pytest.mark.parametrize("line", ["no_such_player --fast", "", "'"])
def test_a_player_that_cannot_start_is_one_line(line: str, capsys: Captured) -> None:
    assert command.main(["--player", line]) == 2
    assert f"cannot start {line!r}" in capsys.readouterr().err
    assert command.main(["--player", line, "--json", "x.json"]) == 2
    assert "leave out --json" in capsys.readouterr().err


def test_a_wrong_value_is_broken_and_what_a_player_lacks_is_skipped(
    capsys: Captured,
) -> None:
    """One with a sleep that never returns; one that cannot play; one that notes no statement that begins."""
    lines = '{"lines": [[0, "main", "begins", "await"], [0, "end", "main", "pending"]]}'
    code = HELLO + f"while input(): print({lines!r}, flush=True)"

    def status(code: str) -> int:
        return command.main(["--player", shlex.join([sys.executable, "-c", code])])

    assert status(code) == 1
    out = capsys.readouterr().out
    assert '    seen      [0, "end", "main", "pending"]' in out
    assert status(code.replace(lines, '{"lacks": "sleep"}')) == 0
    assert status(code.replace("begins", "see f")) == 2
    assert 'it notes no line "begins"' in capsys.readouterr().err


# --- JavaScript ---------------------------------------------------------------------------------------------------


@pytest.fixture
def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not installed")
    return found


#: Names that no player needs outside of Python; and functions that the player does not have.
PYTHON_ONLY = {"yield", "SystemExit", "KeyboardInterrupt", ".get_coro", "ContextVar", "tuple", "set"}
LEFT_OUT = {"wait_for", "TaskGroup", "PriorityQueue"}


@pytest.mark.long("node plays it")
def test_javascript_is_right(node: str) -> None:
    """Every vector of queues, locks and tasks is judged, but those with names that are only Python's."""
    found = judged(shlex.join([node, str(PLAYERS / "player.js")]))
    assert found.broken == []
    assert State.OPEN not in {judgement.state for of in found.rules.values() for _, judgement, _ in of}
    played = {case.name for of in found.rules.values() for case, _, _ in of}
    for told in stored():
        if told["rules"][0].partition("-")[0] in ("QUEUE", "LOCK", "SEM", "TASK"):
            assert (told["name"] in played) != bool((PYTHON_ONLY | LEFT_OUT).intersection(told["needs"])), told


@pytest.mark.long("node plays it")
@pytest.mark.parametrize("bug", BUGGY)
def test_a_bug_in_javascript_is_seen(bug: str, node: str, tmp_path: Path) -> None:
    right, wrong = BUGGY[bug]
    text = (PLAYERS / "primitives.js").read_text(encoding="utf-8")
    assert text.count(right) == 1
    (tmp_path / "primitives.js").write_text(text.replace(right, wrong), encoding="utf-8")
    shutil.copy(PLAYERS / "player.js", tmp_path)
    assert judged(shlex.join([node, str(tmp_path / "player.js")])).broken
