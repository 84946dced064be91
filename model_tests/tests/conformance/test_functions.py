"""The function of a finding: at most 15 lines, fails on the subject, passes on asyncio, and waits for nothing."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ...conformance.cases.sources import Case
from ...conformance.facts.fact import facts
from ...conformance.findings import trial
from ...conformance.findings.finding import Finding, tried
from ...conformance.findings.trial import LINES, outcome, shortest
from ...conformance.normal import normal
from ...conformance.process import Process
from ...dev.pythons import ROOT
from ...implementations.rows import implementations

# Any in this file: programs are JSON.

#: Smallest programs, or facts, that wrong subjects of different kinds fail, each with the rule; `since`: the first
#: Python on which they were shown.
ROWS = json.loads(Path(__file__).with_name("shown.json").read_text(encoding="utf-8"))
KINDS = [row["subject"].split("/")[1] for row in ROWS]
FRAME = """\
import asyncio
from mine import sleep

def test_it():
    async def main():
        {}

    asyncio.run(main())
"""


def found(subject: str, rule: str, program: dict[str, Any]) -> Finding:
    """Return the finding of a program that a subject fails."""
    program = {"main": [], "bodies": {}, **program}
    case = Case("", program, (rule,))
    with Process(subject) as process:
        lines, brings = process.one(program), tuple(process.brings)
    if "fact" in program:
        return Finding("", program, facts()[program["fact"]].expected, lines, subject, rule, brings=brings)
    expected, seen = (normal(program, some, case.rules) for some in (case.expected, lines))
    return Finding("", program, expected, seen, subject, rule, brings=brings)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=row["subject"], marks=[pytest.mark.long("another of its kind")] * (kind in KINDS[:number]))
        for number, (row, kind) in enumerate(zip(ROWS, KINDS, strict=True))
    ],
)
def test_a_short_function_shows_a_finding(row: dict[str, Any]) -> None:
    if list(sys.version_info) < row.get("since", []):
        pytest.skip(f"shown on Python {'.'.join(map(str, row['since']))}")
    with implementations()[row["subject"]].subject() as subject:
        [shown] = tried([found(subject, row["rule"], row["program"])])
    code = shown.function()
    assert code is not None
    assert "from wrong import" in code
    ruff = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length=110", "-"]
    formatted = subprocess.run(ruff, input=code, capture_output=True, text=True, check=True).stdout
    assert len(formatted[formatted.index("def test_") :].splitlines()) <= row.get("lines", LINES)


@pytest.mark.parametrize(("body", "error"), [
    ("assert await sleep(0) == 1", "AssertionError"),
    ("await asyncio.wait_for(asyncio.sleep(9), 0)", "TimeoutError"),
    ("await asyncio.sleep(0.001)", "Refused"),
    # The timer is due before anything waits.
    ("late = asyncio.create_task(asyncio.sleep(1e-6)); await asyncio.sleep(0); sum(range(10**6)); await late",
     "Refused"),
    ("await asyncio.Event().wait()", "Refused"),
    ("__import__('time').sleep(0.001)", "Refused"),
    ("while True: await asyncio.sleep(0)", "Refused"),
    ("await asyncio.sleep(0)", ""),
    ("__import__('os').kill(__import__('os').getpid(), 9)", "ended"),
    pytest.param("while True: pass", "hangs", marks=pytest.mark.long("seconds of processor time")),
])  # fmt: skip
def test_a_run_neither_waits_nor_goes_on_without_end(body: str, error: str) -> None:
    assert outcome(FRAME.format(body).replace("from mine", "from asyncio")) == error


def test_only_what_fails_on_the_subject_and_passes_on_asyncio_is_shown(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("async def sleep(delay, result=None): return 1\n")
    hang = "if await sleep(0): await asyncio.Event().wait()"
    bodies = "assert await sleep(0) is None", "assert await sleep(0) == 2", "await sleep(0)", hang
    right, both, neither, hangs = map(FRAME.format, bodies)
    long = FRAME.format("assert await sleep(0) is None" + "\n        x = 1" * LINES)
    candidates = [[both, neither, hangs], [hangs, right], [long, right], [long], []]
    codes = shortest(candidates, [str(tmp_path), *sys.path])
    assert codes[:3] == [None, right, right]
    assert codes[3] is not None
    assert 5 < len(codes[3].splitlines()) < len(long.splitlines())
    assert codes[4] is None
    assert shortest([[long]], [str(tmp_path), *sys.path], stays=[["x = 1"]]) == [long]


#: A Python that runs trials with the least limits.
HASTY = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(ROOT)!r})
from {trial.__package__} import trial
trial.SECONDS = trial.HANGS_MAX = 1
trial.main()
"""


def test_a_few_functions_that_hang_are_run_and_show_nothing_else(full: bool, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("async def sleep(delay, result=None):\n    while True: pass\n")
    codes = [FRAME.format(f"await sleep({number})") for number in range(99)]
    hasty = tmp_path / "python"
    hasty.write_text(HASTY)
    hasty.chmod(0o755)
    python = sys.executable if full else str(hasty)
    shown = shortest([codes, codes], [str(tmp_path), *sys.path], python, hangs=[False, True])
    assert shown == [None, codes[0]]


def test_a_function_that_makes_a_subject_meet_itself_shows_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import asyncio\ndef Lock(of=asyncio.Condition): return of() and asyncio.locks.Lock()\n"
    )
    patched = FRAME.replace("sleep\n", "Lock\nfrom unittest.mock import patch\n")
    patched = patched.replace("\ndef", '\n@patch("asyncio.locks.Lock", Lock)\ndef').format("Lock()")
    assert outcome(patched.replace("from mine", "from asyncio")) == ""
    assert shortest([[patched]], [str(tmp_path), *sys.path]) == [None]
