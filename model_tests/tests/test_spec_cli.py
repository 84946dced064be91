"""The command `python -m spec`: what it prints, how it ends, and that a rule that is added is checked.

Theory of operation.  The command itself is a step of `make check`; here it runs on a few instances.  The rule that
README adds is taken from there: it must hold, it must be able to fail, and at the end of a copy of spec/queue.py
it must be checked with no other change.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spec import cli
from spec import queue as queues
from spec.instances import REGISTRY
from spec.kit.check import Violation, explore
from spec.kit.core import Spec
from spec.kit.instance import Fails, Holds, only
from spec.models.queue import queue_model
from spec.queue import Item, Queue, Task, queue

from ..pythons import ROOT


def small(monkeypatch: pytest.MonkeyPatch, *instances: Holds | Fails) -> None:
    monkeypatch.setattr(cli, "REGISTRY", list(instances))


def first(kind: type[Holds | Fails], name: str) -> Any:  # Any: of that kind, for `replace`
    return next(i for i in REGISTRY if isinstance(i, kind) and i.spec.name == name)


def test_the_command_prints_a_line_an_instance_and_a_last_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small(monkeypatch, first(Holds, "crawl"), first(Fails, "queue"))
    assert cli.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        r"crawl: our rule, a star of 5 URLs, 2 workers +135 states +329 edges  depth 13 +\d+\.\d\d s",
        lines[0],
    )
    assert lines[1:] == [
        f"{'queue: a cancelled getter keeps its wake-up':<44}  refuted, as it must be: no_lost_getter, after 5 steps",
        "2 instances, 135 states, 329 edges, 0 violations",
    ]


def test_the_command_fails_when_counts_differ(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    instance = first(Holds, "crawl")
    small(monkeypatch, replace(instance, counts=instance.counts._replace(states=136)))
    assert cli.main(["crawl"]) == 1
    out = capsys.readouterr().out
    assert "NOT AS PINNED: Counts(models=1, states=136, edges=329, depth=13)\n" in out
    assert "found:         Counts(models=1, states=135, edges=329, depth=13)\n" in out
    assert out.endswith("1 instances, 135 states, 329 edges, 1 violations\n")


def test_the_command_fails_when_an_error_is_not_found_or_found_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = first(Fails, "queue")
    small(monkeypatch, replace(wrong, depth=4), replace(wrong, model=lambda: queue_model(1, 0, 1)))
    assert cli.main([]) == 1
    out = capsys.readouterr().out
    assert "NOT AS PINNED: no_lost_getter, after 4 steps\nqueue: a cancelled getter keeps its wake-up:" in out
    assert "NOT REFUTED, which it must be: no_lost_getter, after 5 steps" in out
    assert out.endswith("2 instances, 0 states, 0 edges, 2 violations\n")


def test_the_command_fails_when_an_action_never_happens(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small(monkeypatch, first(Holds, "queue"))  # one task, no bound: no put waits
    assert cli.main([]) == 1
    assert "queue: the action put_resume never happens" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bag"], "spec: there is no specification 'bag'; there are: crawl, queue\n"),
        (["--long"], "spec: unrecognized arguments: --long\n"),
    ],
)
def test_a_usage_error_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    assert capsys.readouterr() == ("", message)


# The rule that README adds.


def rule_of_readme() -> str:
    """The decorated function in the one program of README that has `@queue.invariant`."""
    programs = re.findall(
        r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.S | re.M
    )
    (program,) = (str(program) for program in programs if "@queue.invariant\ndef " in program)
    return "@queue.invariant\n" + program.partition("@queue.invariant\n")[2].partition("\n\n")[0] + "\n"


def test_the_rule_of_readme_holds_and_can_fail() -> None:
    derived = Spec("queue, and README's rule", Queue, extends=queue)
    exec(rule_of_readme(), {**vars(queues), "queue": derived})
    (name,) = derived.invariants.keys() - queue.invariants.keys()
    explore(queue_model(2, 1, 2, items=2, spec=derived))
    wrong = Spec("queue: a put counts twice", Queue, extends=derived, without=["put"])

    @wrong.action()
    def put_twice(k: queues.Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
        """QUEUE-12: Wrong: a put counts as two."""
        for q in queues.put(k, s, t, x):
            yield q if q.sent == s.sent else replace(q, unfinished=q.unfinished + 1)

    with pytest.raises(Violation) as caught:
        explore(queue_model(2, 1, 2, spec=only(wrong, name)))
    assert caught.value.name == name


RUN = """
import sys
from spec import cli, instances
small = [i for i in instances.REGISTRY if isinstance(i, instances.Fails) or i.counts.states < 3_000]
cli.REGISTRY = [i for i in small if i.spec.name == "queue"]
sys.exit(cli.main([]))
"""

FALSE = '''
@queue.invariant
def never_full(k: Const, s: Queue) -> bool:
    """MY-9: The buffer is never full."""
    return not full(k, s)
'''


def test_a_rule_at_the_end_of_a_text_is_checked_with_no_other_change(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "spec", tmp_path / "spec", ignore=shutil.ignore_patterns("__pycache__"))
    text = tmp_path / "spec" / "queue.py"

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", RUN], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    text.write_text(text.read_text(encoding="utf-8") + "\n\n" + rule_of_readme(), encoding="utf-8")
    ran = run()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("6 instances, 2,141 states, 7,689 edges, 0 violations\n")

    text.write_text(text.read_text(encoding="utf-8") + "\n\n" + FALSE, encoding="utf-8")
    ran = run()
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "FAILS\nqueue: never_full (MY-9) is broken after 1 step\n   0  init" in ran.stdout
