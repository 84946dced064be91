"""`make rule`: files are written in the order in which they depend on each other, and what is missing has its file."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from impl.commands.options import UsageError
from spec.commands import prove
from spec.kit.bounded import Fails
from spec.promises import PROMISES
from spec.queue import mutants
from spec.queue.bounded import queue_mutant
from spec.queue.specification import queue
from spec.registry import REGISTRY

from ...assurance.mutation import evidence
from ...assurance.rule import __main__ as rule
from ...assurance.rule import by_hand, generated_files
from ...assurance.rule.by_hand import find
from ...dev import tutorial
from ...dev.pythons import ROOT
from ..fixtures import Captured, Patch

#: A property of the queue, and the instance of the mutant that it refutes.
BOUNDED = queue.properties["at_most_maxsize_items"]
ITS_MUTANT = next(each for each in REGISTRY if isinstance(each, Fails) and each.broken == "at_most_maxsize_items")
WITHOUT = [each for each in REGISTRY if not (isinstance(each, Fails) and each.broken == "at_most_maxsize_items")]


def missing(name: str) -> list[str]:
    return [str(each) for each in by_hand.missing(find(name))]


def test_no_rule_lacks_a_part() -> None:
    rules = {item.rule for each in REGISTRY for table in each.spec.tables() for item in table.values()}
    assert len(rules) > 200
    every = sorted(rules | {promise.rule for promise in PROMISES})
    assert [line for name in every for line in missing(name)] == []


#: The number of no rule; the families are those of rules.
UNKNOWN = 999


@pytest.mark.parametrize(("family", "said"), [
    ("QUEUE", 'begin its docstring with """{}: in spec/queue/specification.py'),
    ("EVENT", 'begin its docstring with """{}: in spec/locks/events.py'),
    ("GATHER", "begin its sentence with {}: in spec/promises.txt"),
    ("NEW", "the family NEW is none of ASDONE, AWAIT, "),
])  # fmt: skip
def test_an_unknown_rule_is_one_line_with_its_file(family: str, said: str, capsys: Captured) -> None:
    name = f"{family}-{UNKNOWN}"
    assert rule.main([name]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"make rule: no specification has {name}: {said.format(name)}")


def test_no_identifier_is_one_line(capsys: Captured) -> None:
    assert rule.main(["queue40"]) == 2
    assert capsys.readouterr().err == "make rule: 'queue40' is no identifier, such as QUEUE-40\n"


def test_a_docstring_that_nothing_registers_is_found(tmp_path: Path, monkeypatch: Patch) -> None:
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "mine.py").write_text(f'\ndef f():\n    """QUEUE-{UNKNOWN}: A rule."""\n')
    monkeypatch.setattr(by_hand, "ROOT", tmp_path)
    with pytest.raises(UsageError, match=r"spec/mine\.py:3 has its docstring, but no decorator registers it"):
        find(f"QUEUE-{UNKNOWN}")


def test_a_property_needs_a_mutant_and_its_bounded_model(monkeypatch: Patch) -> None:
    monkeypatch.setattr(by_hand, "REGISTRY", WITHOUT)
    model = (
        "spec/queue/bounded.py: the mutant that breaks at_most_maxsize_items, "
        "with a depth: the check prints the right one"
    )
    assert missing(BOUNDED.rule) == [model]
    monkeypatch.delitem(mutants.MUTANTS, "at_most_maxsize_items")
    assert missing(BOUNDED.rule) == [
        f"spec/queue/mutants.py: a mutant that breaks at_most_maxsize_items ({BOUNDED.rule})",
        model,
    ]


def test_a_property_that_nothing_misses_needs_another_mutant_or_a_claim(monkeypatch: Patch) -> None:
    monkeypatch.setattr(evidence, "read", dict)
    [line] = missing(BOUNDED.rule)
    assert line.startswith("spec/queue/mutants.py: a mutant that at_most_maxsize_items alone refutes")
    claimed = queue_mutant("at_most_maxsize_items", 2, claim="it follows from others")
    monkeypatch.setattr(by_hand, "REGISTRY", [*WITHOUT, claimed])
    assert missing(BOUNDED.rule) == []


def test_a_rule_that_programs_show_needs_a_vector(monkeypatch: Patch) -> None:
    monkeypatch.setattr(by_hand, "CATALOGUE", ())
    for name, file in ("GATHER-1", "gathers"), ("BARRIER-1", "barriers"):
        [line] = missing(name)
        assert line.startswith(f"model_tests/programs/vectors/catalogue/{file}.txt: {name} in the heading of a vector")
    assert missing("QUEUE-40") == []  # no vector can show it
    assert missing("STREAM-1") == []  # asyncio has no such names


def test_a_model_that_is_not_as_pinned_stops_the_command(monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.setattr(generated_files, "REGISTRY", [replace(ITS_MUTANT, depth=7)])
    monkeypatch.setattr(generated_files, "write_all", None)
    assert rule.main(["QUEUE-2"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert (
        lines[0] == "queue: a put does not check for room  refuted, as it must be: at_most_maxsize_items, after 2 steps"
    )
    assert lines[1] == "  NOT AS PINNED: at_most_maxsize_items, after 7 steps"
    assert lines[-1] == "something is still to be written by hand"


def test_a_step_says_whether_its_file_was_stale(tmp_path: Path, monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.setattr(generated_files, "ROOT", tmp_path)
    file = tmp_path / "a.json"
    file.write_text("1")
    for text, state in (("1", "up to date"), ("2", "written")):

        def make(text: str = text) -> list[str]:
            generated_files.write(file, text)
            return [f"a problem of {text}"]

        assert generated_files.done(generated_files.Step(file, make)) == [f"a problem of {text}"]
        assert capsys.readouterr().out.startswith(state)
    assert file.read_text() == "2"


def test_each_file_is_made_after_those_that_it_is_made_from() -> None:
    made = [step.path.name for step in generated_files.steps(queue)]
    assert made[:6] == [
        *("vectors.json", "expected.txt", "premises.json", "only.json", "assurance.json"),
        "README.md",
    ]
    assert {*made[6:]} >= {"README.md", "LIMITER.md", "specify.md"}
    assert "race.md" not in made  # it shows nothing of a specification
    of_promise = [step.path.name for step in generated_files.steps(None)]
    assert of_promise == [name for name in made if name not in ("premises.json", "only.json")]


#: It imports the package of the wheel, which a checkout does not have.
PAGE = """\
```python
import loopspec

print(loopspec.NAME)
```

```text
of the wheel
```
"""


def finds(folder: Path, monkeypatch: Patch) -> None:
    """Have pages that import the wheel find it in a folder."""
    shell = tutorial.Shell(tutorial.CHECKOUT.python, (ROOT, folder))
    monkeypatch.setattr(tutorial, "with_wheel", lambda: nullcontext(shell))


def test_a_program_that_imports_the_wheel_finds_it(tmp_path: Path, monkeypatch: Patch) -> None:
    (tmp_path / "loopspec.py").write_text("NAME = 'of the wheel'\n")
    finds(tmp_path, monkeypatch)
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace("of the wheel", "of another"), encoding="utf-8")
    generated_files.write_output(page)
    assert page.read_text(encoding="utf-8") == PAGE


@pytest.mark.long("seconds: it makes the sources of the wheel")
def test_the_readme_imports_the_wheel_and_is_fresh(staged: Path, monkeypatch: Patch) -> None:
    finds(staged, monkeypatch)
    readme = ROOT / "README.md"
    before = readme.read_bytes()
    [step] = [step for step in generated_files.steps(None) if step.path == readme]
    assert step.make() is None
    assert readme.read_bytes() == before


def test_what_is_fresh_stays_and_needs_no_proof(monkeypatch: Patch) -> None:
    monkeypatch.setattr(prove, "main", None)
    assert generated_files.pin(queue) == []
