"""The rules as they are cited, and the list of `loopspec explain`."""

import json
from pathlib import Path

from spec.commands import check
from spec.crawl import crawl
from spec.kit.bounded import Fails, Holds, only
from spec.kit.core import Spec
from spec.kit.rules import STANDINGS, Rule, problems, rule_of, where
from spec.queue import Queue, queue, queue_model
from spec.queue import specification as queues
from spec.registry import REGISTRY
from spec.specifications import SPECIFICATIONS

from ...dev.pythons import ROOT
from ...documents.explain import command as explain
from ..fixtures import Captured, Patch


def test_a_rule_is_taken_apart() -> None:
    def doc(text: str) -> Rule:
        def fn(k: queues.Const, s: Queue) -> bool:
            return True

        fn.__doc__ = text
        spec: Spec[queues.Const, Queue] = Spec("mine", Queue)
        spec.invariant(fn)
        return rule_of(spec.invariants["fn"])

    assert doc("MY-1: It holds.") == Rule("MY-1", "It holds.", "", "")
    assert doc("MY-1: It holds,\n    for [a, b].\n    [a book; part 2; settled]") == Rule(
        "MY-1", "It holds, for [a, b].", "a book; part 2", "settled"
    )
    assert doc("MY-1: It holds.  [a book]") == Rule("MY-1", "It holds.", "a book", "")
    assert doc("MY-1: It holds.  [a book;\n guessed]") == Rule("MY-1", "It holds.", "a book", "guessed")


def test_the_shipped_specifications_are_those_of_the_registry() -> None:
    assert list(map(id, SPECIFICATIONS)) == list({id(instance.spec): None for instance in REGISTRY})


def test_a_shipped_rule_has_a_source_and_a_standing(monkeypatch: Patch, capsys: Captured) -> None:
    for spec in SPECIFICATIONS:
        assert list(problems(spec)) == []
    bare: Spec[queues.Const, Queue] = Spec("bare", Queue)

    @bare.init
    def anything(k: queues.Const, s: Queue) -> bool:
        """MY-1: It begins."""
        return True

    @bare.invariant
    def guess(k: queues.Const, s: Queue) -> bool:
        """MY-2: It holds.  [hearsay; guessed]"""
        return True

    instances = [
        Holds(bare, "", lambda: [queue_model(1, 0, 1, spec=bare)]),
        Fails(bare, "", lambda: queue_model(1, 0, 1, spec=only(bare, "guess")), "guess", 0),
    ]
    monkeypatch.setattr(check, "REGISTRY", instances)
    assert check.main([]) == 1
    vacuous = [line for line in capsys.readouterr().out.splitlines() if "VACUOUS" in line]
    told = [line.partition(".py:")[2].partition(": ")[2] for line in vacuous]
    assert told == ["MY-2 has no known standing, but 'guessed'", "MY-1 has no source"]


def test_the_rules_of_a_text_are_listed(capsys: Captured) -> None:
    assert explain.main(["--rules", "queue"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    items = [item for table in queue.tables() for item in table.values()]
    assert head == f"queue: {len(items)} rules"
    for item, row in zip(items, rows, strict=True):
        rule, (path, line) = rule_of(item), where(item.fn)
        assert path == "spec/queue/specification.py"
        assert row.split()[0] == item.rule
        assert item.name in row
        assert row.endswith(rule.source)
        assert f"  {rule.standing} " in row
        assert f"  {path}:{line}  " in row
    text = (ROOT / "spec/queue/specification.py").read_text(encoding="utf-8").splitlines()
    assert text[where(queue.actions["get"].fn)[1] - 1].startswith("@queue.action(")
    (resume,) = (row for row in rows if " get_resume " in row)
    assert "  fair hidden answered  " in resume
    assert explain.main([]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")][:2] == [
        head,
        f"crawl: {sum(map(len, crawl.tables()))} rules",
    ]


def test_rules_are_listed_as_json(tmp_path: Path) -> None:
    """Each once, with its sentence; those of a specification only if one is named."""
    file = tmp_path / "rules.json"
    assert explain.main(["--json", str(file)]) == 0
    every = json.loads(file.read_text(encoding="utf-8"))
    assert len({row["identifier"] for row in every}) == len(every) > 300
    assert {row["standing"] for row in every} == set(STANDINGS)
    by_name = {row["identifier"]: row for row in every}
    assert by_name["QUEUE-2"] == {
        "identifier": "QUEUE-2",
        "family": "QUEUE",
        "standing": "documented",
        "sentence": rule_of(queue.invariants["at_most_maxsize_items"]).sentence,
        "source": rule_of(queue.invariants["at_most_maxsize_items"]).source,
    }
    assert by_name["FUT-7"]["sentence"].startswith("A future never holds StopIteration")
    assert explain.main(["queue", "--json", str(file)]) == 0
    assert {row["family"] for row in json.loads(file.read_text(encoding="utf-8"))} == {"QUEUE"}
