"""Facts: they hold on asyncio, in the kit and as plain tests, and each of them can fail."""

import asyncio
import sys
from pathlib import Path

import pytest

from ...conformance.budget import Budget
from ...conformance.facts.fact import FOLDER, HANGS, IMPORTS, Fact, facts, read
from ...conformance.findings.finding import Finding
from ...conformance.findings.trial import outcome
from ...conformance.kit import Kit, run
from ...conformance.known_bugs import known_of_fact
from ...conformance.loops.garbage import left_behind
from ...conformance.process import Process
from ...conformance.subjects.origin import is_asyncios
from ...dev.pythons import ROOT
from ...dev.tutorial import run as run_command
from ...implementations.all_mutants import BY_NAME
from ...implementations.checks.kit import Here
from ...implementations.rows import implementations
from ...programs.releases import THIS
from ...programs.script import ASYNCIO
from ...programs.tables import table
from ...programs.vectors.known_bugs import OF_FACTS
from .mine import subject


def untrue(subject: str) -> list[str]:
    """Return the facts that are not true of a subject."""
    with Process(subject) as process, left_behind():
        kit = Kit(process, (), False)
        kit.facts()
        return [finding.name for finding in kit.untrue]


def now() -> list[Fact]:
    """Return the facts of this version of asyncio."""
    return [fact for fact in facts().values() if fact.since <= THIS]


def test_facts_hold_on_asyncio_in_c_and_in_python() -> None:
    assert untrue("asyncio") == []
    every = implementations()
    for name in ("Task", "Future"):
        with every[f"right/several/pure_asyncio:{name}"].subject() as subject:
            assert untrue(subject) == []


def test_a_head_with_a_word_without_meaning_is_refused() -> None:
    code = 'def timers():\n    """Timers fire."""\n    assert True\n'
    assert read("timers: LOOP-2 Task; since 3.12, threads", code).since == (3, 12)
    with pytest.raises(ValueError, match="the head of the fact timers has 'undocumentd', which means nothing"):
        read("timers: LOOP-2 Task; since 3.12, undocumentd", code)


def test_the_texts_are_linted_and_formatted(tmp_path: Path) -> None:
    """A text that is wrong is found, and it alone."""
    head = '"""Facts."""\n\n' + "".join(f"import {name}\n" for name in sorted(("asyncio", *IMPORTS)))
    codes = {path.stem: table(path)[1].values() for path in FOLDER.glob("*.txt")}
    for name, functions in {**codes, "wrong": ["def wrong():\n    return [ nothing ]\n"]}.items():
        (tmp_path / f"{name}.py").write_text(head + "".join(f"\n\n{code}" for code in functions), encoding="utf-8")
    ruff, settings = (sys.executable, "-m", "ruff"), ("--config", str(ROOT / "pyproject.toml"), ".")
    ran = run_command([*ruff, "check", "--ignore=F401,PT017,RUF006", *settings], tmp_path, check=False)
    assert "Found 1 error." in ran.stdout
    assert "wrong.py" in ran.stdout
    ran = run_command([*ruff, "format", "--check", *settings], tmp_path, check=False)
    assert f"1 file would be reformatted, {len(codes)} files already formatted" in ran.stdout


def test_a_known_bug_excuses_a_fact_in_asyncios_own_code_only() -> None:
    for bug in OF_FACTS:
        for text in bug.shown_by:
            about = facts()[text]
            assert about.rules[0] in bug.rules
            assert bug.name in about.uses()
            assert known_of_fact(text, version=bug.since) is bug
            assert known_of_fact(text, version=bug.before) is None
            assert known_of_fact(text, frozenset({bug.name}), bug.since) is None


def test_a_function_that_calls_asyncios_of_its_name_is_asyncios() -> None:
    assert is_asyncios("gather", lambda *given: asyncio.gather(*given, return_exceptions=False))
    assert not is_asyncios("gather", lambda *given: asyncio.wait(given))


def test_the_known_bugs_that_facts_show_are_found_here() -> None:
    with Process("asyncio") as process, left_behind():
        kit = Kit(process, (), False)
        kit.facts()
    assert set(kit.played.known.values()) == {bug.issue for bug in OF_FACTS if bug.meets(THIS)}


def test_a_function_of_each_fact_passes_on_asyncio_and_waits_for_nothing(full: bool) -> None:
    """Of all of them, or of some if not in full."""
    facts = [fact for fact in now()[:: 1 if full else 25] if not known_of_fact(fact.text)]
    assert [each.text for each in facts if all(map(outcome, each.functions(ASYNCIO, ())))] == []


def test_a_fact_that_waits_for_ever_hangs(tmp_path: Path) -> None:
    text = (
        "import asyncio\n\nclass Event(asyncio.Event):\n    async def wait(self):\n"
        "        return await asyncio.get_running_loop().create_future()\n"
    )
    with Process(subject(tmp_path, text)) as process:
        fact = next(fact for fact in facts().values() if fact.names == ("Event",))
        assert process.one(fact.program)[0][3] in (HANGS, "raised TimeoutError")


@pytest.mark.long("a report")
def test_a_report_says_that_more_may_be_wrong_than_it_shows(full: bool) -> None:
    kit = Kit(Here(BY_NAME["QueuePutterKeepsWakeUp"]), (), documented=False)
    assert "run again" not in kit.report([]).text()
    about = {fact.rules[0]: fact for fact in now() if fact.names == ("Task",)}
    (*_, last) = about
    if not full:  # the facts that are shown, and one more
        about = {rule: about[rule] for rule in about if rule in ("TASK-11", "FUT-12", last)}
    seen = [[0, "main", "fact", "raised KeyError()"]]
    for rule, fact in about.items():
        kit.untrue.append(Finding(fact.text, fact.program, fact.expected, seen, "mine", rule, "fact"))
    report = kit.report([])
    assert (len(report.findings), {verdict.rule for verdict in report.broken}) == (2, {"TASK-11", "FUT-12"})
    assert last not in {finding.rule for finding in report.findings}
    more = f"one failure can mask another; short tests of the kit that also fail: {len(about) - 2}"
    assert f"fix these and run again: {more}\n" in report.text()


@pytest.mark.long("a report")
def test_a_finding_shows_a_fact_as_a_test(full: bool, tmp_path: Path) -> None:
    text = (
        "import asyncio\n\nclass Runner(asyncio.Runner):\n    def __init__(self, *, debug=None, loop_factory=None):\n"
        "        super().__init__(loop_factory=loop_factory)\n"
    )
    report = run(subject(tmp_path, text), [] if full else ["RUN-1", "RUN-2"], budget=Budget(runs=0))
    assert [verdict.rule for verdict in report.broken] == ["RUN-2"]
    assert "the debug mode of the loop" in report.text()
    code = report.findings[0].function()
    assert code is not None
    assert "with Runner(debug=debug" in code
    assert "->" not in code


def test_every_fact_can_fail(full: bool) -> None:
    """Each fact is broken by a wrong implementation, or by one of refuted.txt; some of these if not in full."""
    by_name = {fact.name: fact for fact in now()}
    every = implementations().values()
    for one in [one for one in every if one.kind == "refuted"][:: 1 if full else 15]:
        with one.subject() as path:
            assert by_name.pop(one.name.partition("/")[2]).text in untrue(path)
    if full:
        broken = set[str]()
        for one in [one for one in every if one.kind == "wrong"]:
            with one.subject() as path:
                broken |= set(untrue(path))
        assert [fact.text for fact in by_name.values() if fact.text not in broken] == []
