"""The kit in a CI: a baseline of accepted findings, GitHub's annotations, JUnit's XML, a badge, the report's error."""

import copy
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ...conformance import command
from ...conformance.budget import Budget
from ...conformance.conform import ConformanceError, Rules, conform
from ...conformance.findings.annotations import annotation, place_of
from ...conformance.findings.badge import badge, kept
from ...conformance.findings.baseline import Baseline, name_of
from ...conformance.findings.finding import Rejection
from ...conformance.judge import State
from ...conformance.kit import run
from ...conformance.report import Report
from ...explored import collector as loaded_before  # as in tests/explore/test_plugin.py
from ..fixtures import Captured, Patch

# Any in this file: the arguments of `run`, as they are handed on.

pytest_plugins = "pytester"

BOTH = """import asyncio


class Event(asyncio.Event):
    def clear(self): pass


class Lock(asyncio.Lock):
    def locked(self): return False


class Right(asyncio.Event): pass
"""
#: SEM-3 is not about the names of the subject.
RULES = ["EVENT-3", "LOCK-1", "SEM-3"]


def arguments(path: Path, *more: str) -> list[str]:
    return [str(path), "--only", "EVENT-3", "--random", "0", *more]


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("package") / "mine.py"
    path.write_text(BOTH)
    return path


@pytest.fixture(scope="module")
def judged(subject: Path) -> Report:
    return run(str(subject), RULES, budget=Budget(runs=0))


@pytest.fixture
def once(monkeypatch: Patch) -> list[str]:
    """Have the kit make each report once; return the subjects of all that are asked for."""
    made: dict[str, Report] = {}
    asked: list[str] = []

    def again(subject: str, *rest: Any) -> Report:
        asked.append(subject)
        if subject not in made:
            made[subject] = run(subject, *rest)
        return copy.copy(made[subject])

    monkeypatch.setattr("model_tests.conformance.conform.run", again)
    monkeypatch.setattr(command, "run", again)
    return asked


@pytest.fixture
def report(judged: Report) -> Report:
    return copy.copy(judged)


def test_the_error_has_its_report(subject: Path) -> None:
    with pytest.raises(ConformanceError) as failed:
        conform(subject, only=["EVENT-3"], random=0)
    assert isinstance(failed.value, AssertionError)
    assert [finding.rule for finding in failed.value.report.findings] == ["EVENT-3"]
    assert str(failed.value) == "\n" + failed.value.report.text()


def test_a_baseline_accepts_what_it_has_and_nothing_else(report: Report) -> None:
    found, first = report.known(), report.text()
    assert report.status == 1
    whole = Baseline("mine").updated(found, report.tested)
    for accepted, status in ([], 1), (found[:1], 1), (found[1:], 1), (found, 0):
        report.baseline = Baseline("mine", tuple(accepted))
        assert report.status == status
        lines = report.text().splitlines()
        said = [line for line in lines if line.startswith("accepted by")]
        assert said == [f"accepted by the baseline: {known.line()}" for known in accepted]
        assert sum(f"({known.rule}: " in report.text() for known in found) == len(found) - len(accepted)
    assert {line.split()[0] for line in lines if "broken: accepted" in line} == {each.rule for each in found}
    assert first.splitlines()[-1] == lines[-1]  # the digest does not depend on it
    assert set(whole.accepted) == set(found)


def test_a_rule_that_begins_to_break_with_an_accepted_finding_is_new(report: Report) -> None:
    known, *others = report.known()
    report.baseline = Baseline("mine", (known._replace(also=("EVENT-1",)), *others))
    assert report.status == 0  # the broken rule no longer breaks
    report.findings = [copy.copy(each) for each in report.findings]
    object.__setattr__(report.findings[0], "also", ("EVENT-1", "EVENT-2"))
    assert report.status == 1


def test_what_is_no_longer_found_is_said_if_its_rule_was_tested(report: Report) -> None:
    (known, *_), mended = report.known(), Report("mine.py", report.verdicts)
    for verdict in mended.verdicts:
        assert mended.tested(verdict.rule) == (verdict.state is not State.ABSENT)
    gone = known._replace(sentence="another thing was seen")
    other = known._replace(rule="SEM-3"), known._replace(rule="WAIT-1")  # not exercised; not under test
    report.baseline = Baseline("mine", (*report.known(), gone, *other))
    assert report.gone() == [gone]
    assert f"accepted, and no longer found: {gone.line()}" in report.text().splitlines()
    assert set(report.baseline.updated(report.known(), report.tested).accepted) == {*report.known(), *other}
    report.unfinished = "stopped"
    assert report.gone() == []
    assert report.status == 3


def test_a_state_machine_that_fails_can_be_accepted_and_is_no_rule(report: Report) -> None:
    report.machines = [Rejection("queues", ("QUEUE-1",), "a\nb")]
    report.baseline = Baseline("mine", tuple(report.known()[:-1]))
    machine = {"state machine of queues": ("failure", "the state machine of queues fails: QUEUE-1\na\nb")}
    assert (report.status, report.results().items() >= machine.items()) == (1, True)
    at = f"file={report.places['Lock'][0]},line=8"
    assert [*report.annotations()] == [f"::error {at},title=the state machine of queues fails::a%0Ab"]
    report.baseline, report.unfinished = Baseline("mine", tuple(report.known())), "stopped"
    assert (report.status, "b" in report.text().splitlines()) == (3, False)
    assert report.results()["the end"] == ("failure", "unfinished: stopped")
    assert [*report.annotations()] == ["::warning title=unfinished::stopped"]


@pytest.mark.parametrize(("text", "said"), [
    (None, "there is no baseline {}: write it with --update-baseline"),
    ("{", "{} is no baseline of loopspec conform: write it with --update-baseline, to another file"),
    ("[1, 2]", "{} is no baseline of loopspec conform"),
    ('{"results": []}', "{} is no baseline of loopspec conform"),
    ('{"loopspec": "conform baseline", "subject": "mine", "accepted": [{"rule": 1}]}', "{} is no baseline"),
    (
        '{"loopspec": "conform baseline", "subject": "mine", "accepted": '
        '[{"rule": "A-1", "kind": "value", "sentence": 7, "also": []}]}',
        "{} is no baseline",
    ),
    (Baseline("a.queue:Queue").text(), "{} is the baseline of a.queue:Queue, not of mine: give each a file"),
])  # fmt: skip
def test_no_baseline(text: str | None, said: str, subject: Path, tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "accepted.json"
    if text is not None:
        file.write_text(text)
    for more in ([], ["--update-baseline"] * (text is not None)):
        assert command.main(arguments(subject, "--baseline", str(file), *more)) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert said.format(file) in err
    if text is not None:
        assert file.read_text() == text


def test_a_baseline_is_of_a_subject_wherever_its_folder_is(tmp_path: Path) -> None:
    package = tmp_path / "library" / "aio"
    package.mkdir(parents=True)
    for folder in package, package.parent:
        (folder / "__init__.py").touch()
    names = [f"{package}/queue.py", "library.aio.queue", f"{package}/queue.py:Queue as channels", "mine.py"]
    assert [*map(name_of, names)] == ["library.aio.queue"] * 2 + ["library.aio.queue:Queue", "mine"]


def test_a_baseline_is_written(
    subject: Path, once: list[str], tmp_path: Path, capsys: Captured, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(subject.parent)
    file = tmp_path / "accepted.json"
    assert command.main(arguments(subject, "--baseline", str(file), "--update-baseline")) == 0
    assert "accepted by the baseline: " in capsys.readouterr().out
    made = json.loads(file.read_text())
    assert [each["rule"] for each in made["accepted"]] == ["EVENT-3"]
    made["accepted"][0]["sentence"] = "it was otherwise"
    file.write_text(json.dumps(made))
    assert command.main(arguments(subject, "--baseline", str(file), "--format", "github")) == 1
    lines = capsys.readouterr().out.splitlines()
    (error,) = [line for line in lines if line.startswith("::error")]
    assert error.startswith("::error file=mine.py,line=4,title=")
    assert lines[-1] == "::notice title=accepted%2C and no longer found::it was otherwise: EVENT-3"
    assert command.main(arguments(subject, "--update-baseline")) == 2
    assert "name the file with --baseline FILE" in capsys.readouterr().err
    assert once == [str(subject)] * 2


@pytest.mark.parametrize(("given", "line"), [
    (("error", "a: b, c", "100 %\r\nof it: all, too"), "::error title=a%3A b%2C c::100 %25%0D%0Aof it: all, too"),
    (("notice", "50 %", ""), "::notice title=50 %25::"),
    (("warning", "t", "m", "a,b/c:d.py", 7), "::warning file=a%2Cb/c%3Ad.py,line=7,title=t::m"),
])  # fmt: skip
def test_an_annotation_has_githubs_form(given: tuple[str, str, str], line: str) -> None:
    assert annotation(*given) == line


def test_a_finding_is_at_its_class(report: Report, subject: Path, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(subject.parent.parent))
    own = f"{subject.parent.name}/mine.py"
    places = [place_of(report.subject, report.places, finding) for finding in report.findings]
    found = {each.rule[:4]: place for each, place in zip(report.findings, places, strict=True)}
    assert found == {"EVEN": (own, 4), "LOCK": (own, 8)}
    assert place_of(f"{subject}:Lock as pool", {}) == (own, 8)
    assert place_of("a.c_extension", {}) == ("", 1)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    assert place_of(f"{subject}:Nothing", {}) == (str(subject), 1)


def test_junit_has_the_function_and_skips_what_is_neither_kept_nor_broken(report: Report) -> None:
    held, known, undecided = (copy.copy(report.verdicts[0]) for _ in range(3))
    for verdict, state, why in (
        (held, State.TIMING, "in 2 programs"),
        (known, State.KNOWN, "gh-1"),
        (undecided, State.OPEN, ""),
    ):
        verdict.rule, verdict.state, verdict.why, verdict.finding = state.value, state, why, None
    accepted = report.known()[-1]
    report.verdicts = [*report.verdicts, held, known, undecided]
    report.baseline = Baseline("mine", (accepted,))
    suite = ElementTree.fromstring(report.junit())
    counts = [suite.get(name) for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["6", "1", "0", "4"]
    skipped = {case.get("name"): each.get("message") for case in suite for each in case.findall("skipped")}
    assert skipped == {
        accepted.rule: f"accepted: {accepted.sentence}",
        "SEM-3": "not exercised: no program was played that would show it",
        "known bug": "known bug: gh-1",
        "not judged": "not judged",
    }
    (failure,) = suite.iter("failure")
    assert failure.text is not None
    assert "\ndef test_" in failure.text


# The items of pytest.

ITEMS = """
import time
from model_tests import Rules
test_rules = Rules("mine.py:Event", only=["EVENT-3", "SEM-3", "WAIT-1"], random=0)
Event = test_rules
class TestOthers:
    test_lock = Rules("mine.py:Lock", only=["LOCK-1"], documented_only=True, random=0, profile="owner_checked")
"""


def test_pytest_collects_an_item_for_each_rule(pytester: pytest.Pytester, once: list[str]) -> None:
    assert loaded_before
    pytester.makepyfile(mine=BOTH, test_it=ITEMS)
    listed = pytester.runpytest_inprocess("-p", "no:asyncio", "--collect-only", "-q")
    assert [line.partition("::")[2] for line in listed.outlines if "::" in line] == [
        *(f"test_rules::{name}" for name in ("SEM-3", "EVENT-3", "WAIT-1", "run")),
        *(f"TestOthers::test_lock::{name}" for name in ("LOCK-1", "run")),
    ]
    assert once == []
    ran = pytester.runpytest_inprocess("-p", "no:asyncio", "-rs", "-k", "test_rules")
    ran.assert_outcomes(passed=1, failed=1, skipped=2, deselected=2)
    ran.stdout.fnmatch_lines(
        ["*: EVENT-3 *", "*is_set=True*: EVENT-3", "*def test_event_3():", "SKIPPED*not exercised: *"]
    )
    assert "runtest" not in ran.stdout.str()
    again = pytester.runpytest_inprocess("-p", "no:asyncio", "--lf")
    again.assert_outcomes(failed=1)
    assert once == ["mine.py:Event"] * 2


@pytest.mark.parametrize(("made", "said", "outcomes"), [
    ('Rules("no.such")', "cannot import no.such", {"failed": 1}),
    ('Rules("mine.py", profile="none")', "there is no profile none", {"failed": 1}),
    ('Rules("mine.py:Event", baseline="none")', "there is no baseline none", {"failed": 1, "skipped": 1}),
    ('Rules("mine.py", only=["NO-RULE"])', "unknown rule NO-RULE", {"errors": 1}),
    ('Rules("mine.py", every=True)', "unexpected keyword argument 'every'", {"errors": 1}),
])  # fmt: skip
def test_a_subject_that_cannot_be_tested_is_one_failure(
    made: str, said: str, outcomes: dict[str, int], pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(mine=BOTH, test_it=f"from model_tests import Rules\ntest_rules = {made}")
    ran = pytester.runpytest_inprocess("-p", "no:asyncio", "-k", "EVENT-2 or run")
    ran.assert_outcomes(**({"deselected": ran.parseoutcomes().get("deselected", 0)} | outcomes))
    assert len(re.findall(re.escape(said), ran.stdout.str().partition("short test summary")[0])) == 1


@pytest.mark.long("a report; the collector has a test of the short form")
@pytest.mark.usefixtures("small")
def test_each_rule_of_the_report_has_an_item(subject: Path) -> None:
    names = Rules(f"{subject}:Right", documented_only=True).names()
    report = run(f"{subject}:Right", documented=True, budget=Budget(runs=0))
    assert {each.rule for each in report.verdicts} <= {*names}
    assert {name.partition("-")[0] for name in names} == {"EVENT"}


# The badge of a report: its counts, its text and colour, and when there is none.


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
    title, left, right = (each.text or "" for each in drawn if "rect" not in each.tag and "path" not in each.tag)
    assert title.startswith("a <loop> & more: ")
    assert (left, right) == ("loopspec", f"{good} of {judged} rules")
    assert ("#b3261e" in badge("", states)) == (good != judged)


@pytest.mark.short("bound1-3", why="a report each")
@pytest.mark.parametrize(("bound", "status"), [([], 0), (["--max-seconds", "0.01"], 3)])
def test_the_command_writes_a_badge(tmp_path: Path, capsys: Captured, bound: list[str], status: int) -> None:
    file = tmp_path / "badge.svg"
    only = ["--only", "QUEUE-5", "--random", "0"] if not bound else []
    assert command.main(["asyncio", *only, *bound, "--badge", str(file)]) == status
    assert file.exists() == (status == 0)
    assert ("so there is no badge" in capsys.readouterr().err) == (status == 3)
