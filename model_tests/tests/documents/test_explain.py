"""`loopspec explain`: every part of the page of every rule says something, and its program prints the output on it."""

import ast
import asyncio
import gc
import io
import os
import re
from collections.abc import Coroutine
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from spec.kit.assurance import load

from ...conformance.cases.sources import Case, catalogue
from ...dev.pythons import ROOT
from ...documents.explain.command import main
from ...documents.explain.entries import HOME, entries, vectors
from ...documents.explain.page import Block, Sentence, lines, parts, shown_by
from ...documents.explain.program import PlainProgram, readable
from ...documents.explain.runnable import OF_OTHERS, WRITTEN, Runnable, program_of
from ...programs.releases import THIS
from ...programs.vectors.known_bugs import BUGS, OF_FACTS
from ...programs.virtual_asyncio import VirtualLoop
from ..process import python


@cache
def pages() -> dict[str, dict[str, list[Block]]]:
    """Return the parts of all pages."""
    return {rule: parts(entry) for rule, entry in entries().items()}


@pytest.mark.long("all pages; make site-check writes them")
def test_all_rules_have_a_page_without_an_empty_part() -> None:
    assert entries().keys() == load().keys()
    assert {
        rule for rule, page in pages().items() if not all("".join(lines(blocks)).strip() for blocks in page.values())
    } == set()


@pytest.mark.long("all pages")
def test_what_there_is_not_has_its_reason() -> None:
    said = {
        block.text
        for page in pages().values()
        for blocks in page.values()
        for block in blocks
        if isinstance(block, Sentence) and re.search(r"\bnone\b", block.text[:20], re.IGNORECASE)
    }
    assert len(said) > 10
    assert {text for text in said if len(re.split(r"\bnone\b", text, flags=re.IGNORECASE)[1].split()) < 4} == set()


def test_a_rule_of_the_kernel_says_why_no_specification_has_it() -> None:
    page = pages()["KERNEL-2"]
    assert page["The formula"] == [
        Sentence("None: a rule of the kernel, which no specification of tasks can see; it is stated in a sentence.")
    ]
    (place,) = re.findall(r"Stated: spec/promises\.txt:(\d+)\.", "".join(lines(page["Where"])))
    text = (HOME / "spec" / "promises.txt").read_text(encoding="utf-8")
    assert text.splitlines()[int(place) - 1].startswith("KERNEL-2: ")
    assert "impl/sim/kernel.py:" in "".join(lines(page["Where"]))
    assert "model_tests/tests/sim/test_deadlock.py:" in "".join(lines(page["Where"]))


def test_every_vector_has_its_place() -> None:
    for case in catalogue():
        path, _, line = vectors()[case.name].rpartition(":")
        scenario = path == "model_tests/programs/vectors/catalogue/handovers.txt"
        name = case.name.partition(":")[0] if scenario else case.name
        lines = (HOME / path).read_text(encoding="utf-8").splitlines()
        assert lines[int(line) - 1].startswith(f"# {name}: {case.rules[0]}")


def test_a_page_shows_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cancel-8"]) == 0
    told = capsys.readouterr().out
    case: Case = next(case for case in catalogue() if "CANCEL-8" in case.rules)
    for part in (case.name, "A.cancel())\n", "a: await f -> raised CancelledError\n", "turn ∈ must"):
        assert part in told
    for word in told.split():
        path, _, line = word.rstrip(".;").partition(".py:")
        if line.isdigit():
            lines = (HOME / f"{path}.py").read_text(encoding="utf-8").splitlines()
            assert "CANCEL-8" in "\n".join(lines[int(line) - 1 : int(line) + 4])


def test_a_bug_is_told_with_its_versions(capsys: pytest.CaptureFixture[str]) -> None:
    bug = BUGS[0]
    assert main([bug.rules[0]]) == 0
    told = capsys.readouterr().out
    assert f"3.8 to before 3.12: {bug.name}, {bug.wrong}" in " ".join(told.split())
    assert f"{bug.name} of CPython: {bug.wrong}" in " ".join(told.split())


@pytest.mark.parametrize(
    ("words", "first"),
    [(["SHIELD"], "SHIELD-1"), (["SHIELD-"], "SHIELD-1"), (["only", "while", "unfinished"], "QUEUE-7")],
)
def test_several_rules_are_listed(words: list[str], first: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    told = capsys.readouterr().out
    assert told.startswith(first)


def test_words_that_no_rule_has_are_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["unheard-of"]) == 2
    assert capsys.readouterr().err == (
        "loopspec explain: no rule has unheard-of; loopspec explain lists all, and those of a file of your own as"
        " loopspec explain --rules FILE.py\n"
    )


def test_a_specification_is_printed_as_a_document_and_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "events.md"
    assert main(["events"]) == main(["events", "--output", str(file)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("# Specification\n")
    assert re.findall(r"^#### (.*)$", file.read_text(encoding="utf-8"), re.M) == re.findall(
        r"^#### (.*)$", printed, re.M
    )
    assert main(["--rules", "events"]) == main(["events", "--rules"]) == 0
    assert capsys.readouterr().out.startswith("events: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rules", "bag"], "there is no specification 'bag'; there are: "),
        (["--rules", "queue", "locks"], "name one specification, or one file, not queue locks"),
        (["queue", "--output", "x.md", "--rules"], "--output is for a document: leave out --rules"),
    ],
)
def test_what_is_not_explained_is_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"loopspec explain: {said}")


# --- programs ---------------------------------------------------------------------------------------------------------

# `Any` in this file: the results of programs.

#: One rule of so many is tried in the short form.
SAMPLE = 5


def program(rule: str) -> Runnable | None:
    """Return the program on the page of a rule."""
    return program_of(rule, shown_by(entries()[rule]))


def holds(runnable: Runnable) -> bool:
    """Whether this Python has the names that the program needs, and none of the bugs that its vector shows."""
    case = runnable.case
    return runnable.since <= THIS and (case is None or case.asyncios[0] == case.expected)


def jumping(main: Coroutine[Any, Any, Any]) -> Any:
    """Run as asyncio.run does, without waiting for time to pass."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


def printed(text: str) -> str:
    """Run a program here; return its output."""
    out = io.StringIO()
    names: dict[str, Any] = {"__name__": "__main__"}
    with redirect_stdout(out):
        exec(compile(text, "program.py", "exec"), names)  # as readers of a page do
    names.clear()
    return out.getvalue()


def test_each_program_prints_what_its_page_says(
    full: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """In the long form all of them, in real time."""
    if not full:
        monkeypatch.setattr(asyncio, "run", jumping)
    tried = 0
    for rule in {*list(entries())[:: 1 if full else SAMPLE], *OF_OTHERS}:
        runnable = program(rule)
        bugs = [bug for bug in OF_FACTS if rule in bug.rules and bug.meets(THIS)]
        if runnable and rule not in WRITTEN and holds(runnable) and (runnable.case or not bugs):
            assert printed(runnable.text) == runnable.printed, f"{rule}\n{runnable.text}"
            gc.collect(0)
            if runnable.case:  # the program of a fact may leave a task, and not retrieve its error
                assert [each.getMessage() for each in caplog.records if each.name == "asyncio"] == [], rule
            caplog.clear()
            tried += 1
    assert tried > len(entries()) / (SAMPLE * 4)


@pytest.mark.parametrize("rule", WRITTEN)
def test_the_programs_that_are_written_for_a_page(rule: str) -> None:
    """In real time; each is on the page of its rule."""
    runnable = program(rule)
    assert runnable
    assert (runnable.text, runnable.case) == (WRITTEN[rule].text, None)
    if holds(runnable):
        assert printed(runnable.text) == runnable.printed != ""


@pytest.mark.parametrize("rule", ["QUEUE-2", "WAITFOR-6"])
def test_a_program_is_a_file_that_python_runs(rule: str, tmp_path: Path) -> None:
    """Also in virtual time: it then imports our loop."""
    runnable = program(rule)
    assert runnable
    assert ("from impl.bridges" in runnable.text) == (rule == "WAITFOR-6")
    path = tmp_path / "program.py"
    path.write_text(runnable.text, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = python(path, env=env, check=True)
    assert (ran.stdout, ran.stderr) == (runnable.printed, "")


def test_a_program_that_breaks_its_rule_prints_something_else() -> None:
    """The queue of the page's program is one that puts more than its maxsize."""
    runnable = program("QUEUE-2")
    assert runnable
    wrong = runnable.text.replace("asyncio.Queue(2)", "asyncio.Queue(3)")
    assert wrong != runnable.text
    assert printed(wrong) != runnable.printed


def test_a_page_has_the_program_and_what_it_prints() -> None:
    for rule in ("CANCEL-8", "RUN-1", "KERNEL-2"):
        runnable = program(rule)
        assert runnable
        said, code, prints, lines = parts(entries()[rule])["A program"]
        assert said.text.startswith(runnable.title)
        assert (code.text, prints.text) == (runnable.text, "It prints, where the rule holds:")
        assert lines.text == runnable.printed


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")
@pytest.mark.long("half a minute")
def test_each_vector_of_the_catalogue_has_such_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the long form: so another vector may be on the page of a rule at any time."""
    monkeypatch.setattr(asyncio, "run", jumping)
    shown = [PlainProgram(case) for case in catalogue() if readable(case) and case.asyncios[0] == case.expected]
    assert len(shown) > len(catalogue()) / 2
    for each in shown:
        assert printed(each.text).splitlines() == each.printed, f"{each.case.name}\n{each.text}"


def test_every_vector_that_has_a_program_keeps_its_bodies() -> None:
    """A body, a callback and main are functions, and the program is run by its last line."""
    shown = [PlainProgram(case) for case in catalogue() if readable(case)]
    assert len(shown) > len(catalogue()) * 0.9
    for each in shown:
        tree = ast.parse(each.text)
        names = {node.name for node in tree.body if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef)}
        bodies = {each.function(name) for name in (*each.program["bodies"], "main")}
        wanted = bodies | each.callbacks.keys()
        assert wanted <= names, each.case.name
        assert isinstance(tree.body[-1], ast.Expr)
