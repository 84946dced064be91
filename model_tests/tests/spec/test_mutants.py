"""A mutant of a wrong action, the right one with another result: a row that every reader of texts can follow."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from spec.kit.core import Event, Spec, SpecError, replace
from spec.kit.mutants import in_state, mutant, only_where, unfair
from spec.kit.render.source import Untranslatable, callees, source
from spec.kit.search import check
from spec.queue import queue_model
from spec.queue.specification import At, queue
from spec.stream.specification import stream

KEEPING = mutant(queue, "a cancelled task stays in line", cancel=lambda s, q: replace(q, line=s.line))
#: The same title and action, but another result; two that a reader cannot tell from each other, on one line.
COUNTING = mutant(queue, "a cancelled task stays in line", cancel=lambda q, t: replace(q, puts=t))
TWO = mutant(queue, "two", get=lambda s: s, put=lambda q: q)

#: A cancel that is refused to tasks that wait to get, and one that takes such a task for one that waits to put.
REFUSED = mutant(queue, "a getter cannot be cancelled", cancel=only_where(lambda s, t: s.at[t] != At.GET))
MISTAKEN = mutant(queue, "a getter leaves as a putter", cancel=in_state(lambda s, t: replace(s, at=s.at | {t: At.PUT})))
#: The same, but it is where it was afterwards.
KEPT = mutant(queue, "a getter stays", cancel=in_state(lambda s, t: replace(s, at=s.at | {t: At.PUT}), "at", "line"))


def test_the_wrong_action_has_the_rule_the_parameters_and_another_result() -> None:
    model = queue_model(2, 1, 1)
    right, wrong = queue.actions["cancel"], KEEPING.actions["cancel_wrong"]
    assert (wrong.rule, wrong.params, wrong.changes) == (right.rule, right.params, right.changes)
    assert wrong.doc == f"{right.rule}: Wrong: a cancelled task stays in line."
    (waits,) = right.fn.__globals__["get"](model.k, model.init[0], 0)
    (after,) = wrong.fn(model.k, waits, 0)
    assert after == replace(next(right.fn(model.k, waits, 0)), line=waits.line) != waits
    assert str(Event(wrong.name, (0,))) == "cancel_wrong(0)"


@pytest.mark.parametrize("spec", [KEEPING, COUNTING, unfair(stream, "a reset need not come", "carry_reset")])
def test_its_source_is_the_loop_and_the_expression(spec: Spec[Any, Any]) -> None:
    (wrong,) = (item for name, item in spec.actions.items() if name.endswith("_wrong"))
    result = wrong.fn.__globals__["result"]
    given = ", ".join(inspect.signature(result).parameters)
    assert source(wrong.fn).lines[-1] == f"        yield result({given})\n"
    assert source(result).tree.args.args[0].arg == given.split(", ")[0]
    assert result in callees(source(wrong.fn).fn)


def test_a_right_action_is_refused_elsewhere_or_sees_another_state() -> None:
    model = queue_model(2, 1, 1)
    (waits,) = queue.actions["get"].fn(model.k, model.init[0], 0)
    (after,) = queue.actions["cancel"].fn(model.k, waits, 0)
    refused, mistaken, kept = (spec.actions["cancel_wrong"].fn for spec in (REFUSED, MISTAKEN, KEPT))
    assert list(refused(model.k, waits, 0)) == []
    assert list(refused(model.k, replace(waits, at=waits.at | {0: At.JOIN}), 0)) != []
    assert list(mistaken(model.k, waits, 0)) == [replace(after, at=waits.at | {0: At.PUT})]
    assert list(kept(model.k, waits, 0)) == [replace(after, at=waits.at, line=waits.line)]
    assert [list(source(fn).lines[1:]) for fn in (refused, mistaken, kept)] == [
        ["    if result(s, t):\n", "        yield from right(k, s, t)\n"],
        ["    yield from right(k, result(s, t), t)\n"],
        [
            "    for q in right(k, result(s, t), t):\n",
            "        yield replace(q, at=s.at, line=s.line)\n",
        ],
    ]


def test_two_on_one_line_are_not_guessed_at() -> None:
    with pytest.raises(Untranslatable, match="its source cannot be found: write it in a file, in a line of"):
        source(TWO.actions["get_wrong"].fn.__globals__["result"])


def test_an_error_names_the_place_of_the_row() -> None:
    spec = mutant(queue, "no state", cancel=lambda q: len(q.buf))
    with pytest.raises(SpecError, match=r"cancel_wrong\(0\): 0 is no Queue") as error:
        check(queue_model(1, 1, 1, spec=spec))
    assert error.value.place == (__file__, inspect.currentframe().f_lineno - 3)  # type: ignore[union-attr]


def test_a_parameter_that_the_action_does_not_have_is_refused() -> None:
    with pytest.raises(SpecError, match="cancel has no parameter x: write q, or one of its own"):
        mutant(queue, "nothing", cancel=lambda x: x)
    with pytest.raises(SpecError, match="cancel has no parameter q: write one of its own"):
        mutant(queue, "nothing", cancel=only_where(lambda q: q))


def test_a_wrong_action_has_the_identifier_of_the_action_that_it_replaces() -> None:
    def cancel_never(k: Any, s: Any, t: int) -> Iterator[Any]:
        """QUEUE-10: Wrong: a cancel is refused."""
        yield from ()

    line = cancel_never.__code__.co_firstlineno
    with pytest.raises(SpecError) as error:
        mutant(queue, "a cancel is refused", cancel=cancel_never)
    assert str(error.value) == (
        f"model_tests/tests/spec/test_mutants.py:{line}: cancel_never takes the place of cancel, which is QUEUE-17:"
        ' begin its docstring as in "QUEUE-17: Wrong: ..."'
    )
    assert error.value.place == (__file__, line)
