"""Programs in other ways: seen the same on asyncio, printed the same by scripts, and able to find a wrong subject."""

from itertools import islice
from pathlib import Path
from typing import Final

import pytest

from ...conformance.budget import Budget
from ...conformance.cases.edges import edges
from ...conformance.cases.leaks import leaks
from ...conformance.cases.sources import Case, catalogue
from ...conformance.cases.ways import WAYS, ways
from ...conformance.judge import Judge
from ...conformance.kit import run
from ...conformance.loops.garbage import left_behind
from ...conformance.normal import NormalForm, normal
from ...programs.releases import THIS
from ...programs.runtimes import observe
from ...programs.script import script, spoken
from ...programs.tables import texts
from ...programs.vectors.notation import program
from ..process import python
from .mine import subject

LONG = pytest.mark.long("some seconds")
#: Those that are found in the long form only.
SLOW: Final = ("LEAK-1", "RUN-1", "RUN-2", "TASK-11")
#: Wrong subjects by the rule that each breaks.
WRONG: Final = texts(Path(__file__).with_name("ways.txt"))


def of_catalogue(every: int) -> list[Case]:
    """Return each n-th vector that this version of asyncio plays as the reference does."""
    judge = Judge([], [], lambda rule: True)
    return [case for case in islice(catalogue(), 0, None, every) if case.since <= THIS and judge.usual(case)]


def differing(cases: list[Case]) -> list[str]:
    """Return the names of the programs that asyncio plays in another way than the reference."""
    found = []
    for case in (case for case in cases if case.since <= THIS):
        wanted = normal(case.program, case.expected, case.rules)
        seen = [observe(case.program, asyncio) for asyncio in ("asyncio", "asyncio-py")]
        found += [case.name for lines in seen if normal(case.program, lines, case.rules) != wanted]
    return found


def test_asyncio_runs_programs_in_each_way_as_the_reference_does(full: bool) -> None:
    with left_behind():
        cases = list(ways(of_catalogue(1 if full else 12)))
        played = [way for way in WAYS if any(case.name.endswith(f", {way}") for case in cases)]
        assert played == [way for way in WAYS if any(case.name.endswith(way) for case in ways(catalogue()))]
        assert differing([case for case in cases if case.since <= THIS]) == []


def test_asyncio_takes_edge_values_as_the_reference_does(full: bool) -> None:
    """Notifying no waiter is left out: asyncio 3.13 then wakes another for each that is cancelled.

    So are the times of `wait_for` before 3.12, which took other turns (gh-96764).
    """
    left_out = [", n=0", *([] if THIS >= (3, 12) else [", timeout="])]
    with left_behind():
        cases = list(edges(of_catalogue(1 if full else 12)))
        cases = [case for case in cases if not any(word in case.name for word in left_out)]
        found = differing(cases)
    assert len(cases) > 100
    assert found == []


def test_asyncio_keeps_nothing_that_the_reference_does_not_keep(full: bool) -> None:
    with left_behind():
        cases = list(leaks(9999 if full else 20, lambda about: True))
        assert len(cases) > 15
        assert differing(cases) == []


@pytest.mark.parametrize("rule", [pytest.param(each, marks=[LONG] * (each in SLOW)) for each in WRONG])
def test_what_is_wrong_only_in_one_way_is_found(rule: str, tmp_path: Path) -> None:
    text = f"import asyncio, contextvars\n{WRONG[rule]}"
    [found, *_] = run(subject(tmp_path, text), [rule], budget=Budget(runs=0)).findings
    assert found.rule == rule
    assert (found.function() is None) == ("ambient" in found.program.get("how", ()))


STAGED: Final = """
A = go(a)
turn()
A.cancel()
turn(3)
A.cancelled()
async def a():
    try: await sleep(1)
    finally: A.done()
"""


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")  # of a runner that is closed
@pytest.mark.parametrize("way", WAYS)
def test_a_script_prints_what_is_seen(way: str) -> None:
    change, _, since = WAYS[way]
    text = STAGED
    if way == "eager, in a group":
        text = "async with TaskGroup() as g: A = g.create_task(a())\nasync def a(): pass\n"
    given = program(text)
    changed = change(Case("", given))
    assert changed
    if since > THIS:
        pytest.skip(f"since Python {'.'.join(map(str, since))}")
    ran = python("-W", "ignore", "-c", script(changed))
    assert ran.stdout.splitlines() == [spoken(line) for line in observe(changed, "asyncio")], ran.stderr


def test_only_the_outcome_of_a_repeat_counts() -> None:
    repeated = next(leaks(9999, lambda about: True)).program
    lines = [[0, "a", "await q.get()", "1"], [0, "main", "repeat", "keeps nothing"]]
    assert NormalForm(repeated, ()).of(lines) == lines[1:]
