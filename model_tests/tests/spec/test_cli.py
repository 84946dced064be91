"""The command `loopspec check`: its output, its exit status, and that additions to a specification are checked.

The check itself is a step of `make check`; here it runs on a few bounded models, and on copies of `spec/` with
additions.  The rule that an entrance of the site adds is read from there.  It must hold and be able to fail; at the
end of a copy of spec/queue/specification.py it must be checked without another change.  Users' own files, good and
bad, have their own tests (`own/test_files.py`).
"""

import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spec.commands import check
from spec.commands.run import Live
from spec.kit import search
from spec.kit.bounded import Fails, Holds, Instance, Refines, only
from spec.kit.core import Spec
from spec.kit.mutants import mutant
from spec.kit.search import Violation
from spec.queue import Queue, Task, queue, queue_model
from spec.queue import specification as queues
from spec.queue.mutants import put_counting_twice
from spec.registry import REGISTRY

from ...dev.pythons import ROOT
from ...documents.explain import command as explain
from ..fixtures import Captured, Patch, Terminal
from ..process import copied, python

TEXTS = ", ".join(sorted({instance.spec.name for instance in REGISTRY}))


def small(monkeypatch: Patch, *instances: Instance) -> None:
    monkeypatch.setattr(check, "REGISTRY", list(instances))


def first(kind: type[Holds | Fails], name: str) -> Any:  # Any: of that kind, for `replace`
    return next(i for i in REGISTRY if isinstance(i, kind) and i.spec.name == name)


def lines(capsys: Captured) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_the_command_prints_a_line_an_instance_and_a_last_line(monkeypatch: Patch, capsys: Captured) -> None:
    small(monkeypatch, first(Fails, "queue"), first(Holds, "crawl"))
    assert check.main([]) == 1  # the crawl needs more than one bounded model
    told = lines(capsys)
    refuted = "refuted, as it must be: no_lost_getter, after 5 steps"
    assert told[0] == f"queue: a cancelled getter keeps its wake-up   {refuted}"
    assert re.fullmatch(
        r"crawl: our rule, a star of 5 URLs, 2 workers +135 states +329 edges  depth 13 +\d+\.\d\d s", told[1]
    )
    assert re.fullmatch(r"crawl: reached in 135 states: 6 actions, \d+ yields, .* comprehensions, 1 trigger", told[2])
    missed = [line for line in told[3:-1] if re.match(r"  VACUOUS: spec/crawl/specification\.py:\d+: ", line)]
    assert missed == told[3:-1]
    assert told[-1] == f"2 instances, 135 states, 329 edges, {len(missed)} violations"


def test_the_command_fails_when_counts_differ(monkeypatch: Patch, capsys: Captured) -> None:
    instance = first(Holds, "crawl")
    small(monkeypatch, replace(instance, counts=instance.counts._replace(states=136)))
    assert check.main(["crawl"]) == 1
    out = capsys.readouterr().out
    assert "NOT AS PINNED: Counts(models=1, states=136, edges=329, depth=13)\n" in out
    assert "found:         Counts(models=1, states=135, edges=329, depth=13)\n" in out


def test_an_error_is_not_found_or_found_elsewhere(monkeypatch: Patch, capsys: Captured) -> None:
    wrong = first(Fails, "queue")
    small(monkeypatch, replace(wrong, depth=4), replace(wrong, model=lambda: queue_model(1, 0, 1)))
    assert check.main([]) == 1
    out = capsys.readouterr().out
    found = "NOT AS PINNED: no_lost_getter, after 4 steps\n  found:         no_lost_getter, after 5 steps\n"
    assert f"{found}queue: a cancelled getter keeps its wake-up:" in out
    assert "NOT REFUTED, which it must be: no_lost_getter, after 5 steps" in out
    assert out.endswith("2 instances, 0 states, 0 edges, 2 violations\n")


def one(title: str = "one task", **more: Any) -> Holds:
    """A queue for one task, which is not pinned."""
    return Holds(queue, title, lambda: [queue_model(1, 0, 1)], **more)


def test_a_deadlock_a_leads_to_and_a_refinement_are_looked_at(monkeypatch: Patch, capsys: Captured) -> None:
    lazy: Spec[queues.Const, Queue] = Spec("lazy", Queue, queue, without=("comes_to_rest", "last_item_releases_join"))

    @lazy.leads_to(queues.moving)
    def comes_to_nothing(k: queues.Const, s: Queue, t: Task) -> bool:
        """MY-1: A cancelled task gets an item."""
        return s.held[t] > 0

    small(
        monkeypatch,
        one(live=True, refines=Refines(lambda low: queue_model(1, 0, 1), lambda k, s: s)),
        replace(first(Holds, "crawl"), may_end=lambda s: False),
        one(refines=Refines(lambda low: low, lambda k, s: replace(s, held=s.held | {Task(0): 0}))),
        one("no step is seen", refines=Refines(lambda low: low, lambda k, s: queue_model(1, 0, 1).init[0])),
        Holds(lazy, "", lambda: [queue_model(1, 0, 1, spec=lazy, withdraws=False)], live=True),
        Holds(lazy, "", lambda: [queue_model(2, 0, 1, spec=lazy, symmetric=True)]),
    )
    assert check.main([]) == 1
    told = lines(capsys)
    assert [line.split("  ")[0] for line in told if "states" in line and "reached" not in line][:3] == [
        "queue: one task", "queue: no step is seen", "lazy:",
    ]  # fmt: skip
    assert told[0].endswith("s  not pinned")
    assert "crawl: deadlock is reached after 13 steps" in told
    assert "queue: the refinement of queue is broken after 2 steps" in told
    assert "  THE REFINEMENT SAYS NOTHING: the higher specification sees no step of it" in told
    never = "need not come: after 2 steps a run may go on for ever without it"
    assert f"lazy: comes_to_nothing(0) (MY-1) {never}" in told
    assert sum(line.endswith("  FAILS") for line in told) == 3


def test_an_instance_of_another_text_or_property_is_an_error(monkeypatch: Patch, capsys: Captured) -> None:
    small(monkeypatch, Holds(only(queue, "first_in_first_out"), "x", lambda: [queue_model(1, 0, 1)]))
    assert check.main([]) == 1
    assert capsys.readouterr().err == (
        "loopspec check: queue: x: the model is of another specification, 'queue': make it with spec=...\n"
        "  while checking queue: x\n"
    )
    small(monkeypatch, replace(first(Fails, "queue"), broken="last_in_first_out"))
    assert check.main([]) == 1
    assert "has no property 'last_in_first_out' that could fail" in capsys.readouterr().err
    other = Spec("other", Queue, queue, without=["first_in_first_out"])

    @other.invariant
    def first_in_first_out(k: queues.Const, s: Queue) -> bool:
        """QUEUE-1: Another property of that name, which fails at once."""
        return False

    small(monkeypatch, Fails(queue, "x", lambda: queue_model(1, 0, 1, spec=other), "first_in_first_out", 0))
    assert check.main([]) == 1
    assert "first_in_first_out of the model is not that of 'queue'" in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "message"), [
    (["bag"], f"there is no specification 'bag'; there are: {TEXTS}; or FILE.py"),
    (["--long"], "unrecognized arguments: --long"),
    (["--ful"], "unrecognized arguments: --ful"),
])  # fmt: skip
def test_a_usage_error_is_one_line(arguments: list[str], message: str, capsys: Captured) -> None:
    assert check.main(arguments, prog="spec") == 2
    assert capsys.readouterr() == ("", f"spec: {message}\n")
    assert explain.main(["--rules", *arguments]) == 2
    assert capsys.readouterr() == ("", f"loopspec explain: {message}\n")


def test_only_long_instances_are_a_usage_error(monkeypatch: Patch, capsys: Captured) -> None:
    small(monkeypatch, one(full=True))
    assert check.main(["queue"]) == 2
    told = "every instance is in the long form only: add --full"
    assert capsys.readouterr().err == f"loopspec check: queue: {told}\n"
    assert check.main(["--full"]) == 1


def test_a_long_search_is_told_on_a_terminal_and_leaves_nothing_behind(monkeypatch: Patch) -> None:
    now = [0.0]
    monkeypatch.setattr("spec.commands.run.time.perf_counter", lambda: now[0])
    screen = Terminal()
    live = Live(screen)
    live.begin("mine: small")
    live.tick(256)
    assert screen.getvalue() == ""
    now[0] = 2.0
    live.tick(5_000)
    live.tick(5_256)
    now[0] = 4.0
    live.tick(9_000)
    live.end()
    first, second = "mine: small  5,000 states  2,500/s", "mine: small  9,000 states  2,250/s"
    assert screen.getvalue() == f"\r{first}\r{second}\r{' ' * len(second)}\r"
    live.end()
    assert screen.getvalue().count("\r") == 4


RUN_LIVE = """
import sys
from spec.commands import check, run
run.EVERY = 0.0
sys.exit(check.main(sys.argv[1:]))
"""


@pytest.mark.short("stderr", why="a process each")
@pytest.mark.parametrize("terminal", ["stdout", "stderr", "none"])
def test_nothing_but_a_terminal_sees_it(terminal: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from spec.kit.bounded import Holds\nfrom spec.queue import queue, queue_model\n"
        'MINE = Holds(queue, "small", lambda: [queue_model(2, 0, 2)])\n',
        encoding="utf-8",
    )
    ours, theirs = pty.openpty()
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    pipes |= {terminal: theirs} if terminal != "none" else {}
    command = [sys.executable, "-c", RUN_LIVE, str(tmp_path / "mine.py")]
    ran = subprocess.run(command, cwd=ROOT, check=False, **pipes)
    os.close(theirs)
    seen = b""
    while terminal != "none":
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # the error on Linux if the other end is closed
            break
        if not chunk:
            break
        seen += chunk
    os.close(ours)
    assert ran.returncode == 0
    assert (b" states  " in seen and b"/s" in seen) == (terminal != "none")
    if terminal != "stdout":
        assert b"\r" not in ran.stdout
        assert b"queue: small" in ran.stdout
    if terminal == "none":
        assert ran.stderr == b""


def rule_of_the_site() -> str:
    """Return the decorated function in the one program of the entrance that has `@queue.invariant`."""
    text = (ROOT / "model_tests" / "documents" / "site" / "specify.md").read_text("utf-8")
    programs = re.findall(r"^```python\n(.*?)^```$", text, re.S | re.M)
    (program,) = (str(program) for program in programs if "@queue.invariant\ndef " in program)
    return "@queue.invariant\n" + program.partition("@queue.invariant\n")[2].partition("\n\n")[0] + "\n"


def test_the_rule_of_the_site_holds_and_can_fail() -> None:
    derived = Spec("queue, and the site's rule", Queue, extends=queue)
    exec(rule_of_the_site(), {**vars(queues), "queue": derived})
    (name,) = derived.invariants.keys() - queue.invariants.keys()
    search.check(queue_model(2, 1, 2, items=2, spec=derived))
    wrong = mutant(derived, "a put counts twice", put=put_counting_twice)
    with pytest.raises(Violation) as caught:
        search.check(queue_model(2, 1, 2, spec=only(wrong, name)))
    assert caught.value.name == name


RUN = """
import sys
from spec.commands import check
from spec.kit.bounded import Fails
from spec.queue import bounded
small = [i for i in bounded.QUEUE if isinstance(i, Fails) or i.counts.states < int(sys.argv[1])]
check.REGISTRY = [i for i in small if not i.full]
sys.exit(check.main([]))
"""

FALSE = '''
@queue.invariant
def never_full(k: Const, s: Queue) -> bool:
    """MY-9: The buffer is never full."""
    return not full(k, s)
'''

VAIN = '''
@queue.action()
def burn(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """MY-9: A queue that is over-full burns.  [this test; defined]"""
    if len(s.buf) > k.puts:
        yield replace(s, buf=())
'''


@pytest.mark.long("all of the queue, twice")
def test_what_is_added_to_a_text_is_checked_with_no_other_change(tmp_path: Path) -> None:
    copied("spec", tmp_path)
    text = tmp_path / "spec" / "queue" / "specification.py"
    whole = text.read_text(encoding="utf-8")

    def run(added: str, states: int = 5_000) -> tuple[int, list[str]]:
        text.write_text(f"{whole}\n\n{added}", encoding="utf-8")
        ran = python("-c", RUN, str(states), cwd=tmp_path)
        assert ran.stderr == ""
        return ran.returncode, [line for line in ran.stdout.splitlines() if "refuted, as" not in line]

    status, told = run(rule_of_the_site() + VAIN)
    at = whole.count("\n") + 3
    assert [line for line in told if line.startswith(" ")] == [
        f"  VACUOUS: spec/queue/specification.py:{at + 5}: burn never happens",
        f"  VACUOUS: spec/queue/specification.py:{at}: counted (MY-1): no instance shows that it can fail",
        f"  VACUOUS: spec/queue/specification.py:{at}: MY-1 has no source",
    ]
    assert (status, told[-1].endswith(" edges, 3 violations")) == (1, True)

    status, told = run(FALSE, 2_100)
    assert (status, told[1].endswith("  FAILS")) == (1, True)
    assert told[2] == "queue: never_full (MY-9) is broken after 1 step"
