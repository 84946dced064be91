"""`loopspec explain`: every part of the page of every rule says something."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from spec.kit.assurance import load

from ...conformance.cases.sources import Case, catalogue
from ...documents.explain.blocks import Block, Sentence, lines
from ...documents.explain.command import main
from ...documents.explain.entries import HOME, entries, vectors
from ...documents.explain.page import parts
from ...programs.vectors.known import BUGS


@cache
def pages() -> dict[str, dict[str, list[Block]]]:
    """Return the parts of all pages."""
    return {rule: parts(entry) for rule, entry in entries().items()}


def test_all_rules_have_a_page_without_an_empty_part() -> None:
    assert entries().keys() == load().keys()
    assert {
        rule
        for rule, page in pages().items()
        if not all("".join(lines(blocks)).strip() for blocks in page.values())
    } == set()


def test_what_there_is_not_has_its_reason() -> None:
    said = {
        block.text
        for page in pages().values()
        for blocks in page.values()
        for block in blocks
        if isinstance(block, Sentence) and re.search(r"\bnone\b", block.text[:20], re.IGNORECASE)
    }
    assert len(said) > 10
    assert {
        text for text in said if len(re.split(r"\bnone\b", text, flags=re.IGNORECASE)[1].split()) < 4
    } == set()


def test_a_rule_of_the_kernel_says_why_no_specification_has_it() -> None:
    page = pages()["KERNEL-2"]
    assert page["The formula"] == [
        Sentence(
            "None: a rule of the kernel, which no specification of tasks can see; it is stated in a sentence."
        )
    ]
    (place,) = re.findall(r"Stated: spec/promises\.py:(\d+)\.", "".join(lines(page["Where"])))
    text = (HOME / "spec" / "promises.py").read_text(encoding="utf-8")
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
    file = tmp_path / "stream.md"
    assert main(["stream"]) == main(["stream", "--output", str(file)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("# Specification\n")
    assert re.findall(r"^#### (.*)$", file.read_text(encoding="utf-8"), re.M) == re.findall(
        r"^#### (.*)$", printed, re.M
    )
    assert main(["--rules", "stream"]) == main(["stream", "--rules"]) == 0
    assert capsys.readouterr().out.startswith("stream: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rules", "bag"], "there is no specification 'bag'; there are: "),
        (["--rules", "queue", "locks"], "name one specification, or one file, not queue locks"),
        (["queue", "--output", "x.md", "--rules"], "--output is for a document: leave out --rules"),
    ],
)
def test_what_is_not_explained_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"loopspec explain: {said}")
