"""The programs on the pages of rules: each is run as it stands, and prints the output on its page."""

from __future__ import annotations

import ast
import asyncio
import gc
import io
import os
from collections.abc import Coroutine
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from ...conformance.cases.sources import catalogue
from ...dev.pythons import ROOT
from ...documents.explain.entries import entries
from ...documents.explain.page import parts, shown_by
from ...documents.explain.program import PlainProgram, readable
from ...documents.explain.runnable import OF_OTHERS, WRITTEN, Runnable, program_of
from ...programs.releases import THIS
from ...programs.vectors.known import OF_FACTS
from ...programs.virtual_asyncio import VirtualLoop
from ..process import python

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
    shown = [
        PlainProgram(case) for case in catalogue() if readable(case) and case.asyncios[0] == case.expected
    ]
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
