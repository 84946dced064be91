"""The checks of a specification before its first proof, and the premises that a proof may rest on."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("z3", reason="the proofs need the extra `prove`")

from spec.cases import CASES
from spec.commands import prove
from spec.kit.core import SpecError
from spec.kit.prove import admission
from spec.kit.prove import solver as z
from spec.kit.prove.admission import OWN, SHIPPED, admit
from spec.kit.prove.case import Case, Obligation
from spec.kit.prove.operations import TABLE, apply
from spec.kit.prove.premises import Pins
from spec.kit.prove.values import Fun, Rec, Unreadable, Value, eq, kind

from ...fixtures import Captured, Patch
from .planted import ERRORS, planted
from .subjects import Parts, constructs, constructs_model

#: A value of each kind.
VALUES: Sequence[Value] = (
    z.truth(True),
    z.number(1),
    z.constant("x", z.sort("Some")),
    z.constant("q", z.sequence_of(z.INT)),
    (z.number(1),),
    Fun((z.INT,), lambda x: z.truth(True)),
    Fun((z.INT,), lambda x: z.number(0), is_map=True),
    Rec(Parts, {}),
)
CASE = Case(constructs)


@pytest.mark.parametrize("op", list(dict.fromkeys(row[0] for row in TABLE)), ids=str)
def test_an_operation_is_in_the_table_or_refused(op: object) -> None:
    """Nothing is left to the operators of Z3's terms, or of Python's tuples."""
    for values in (*itertools.product(VALUES), *itertools.product(VALUES, repeat=2)):
        if (op, *map(kind, values)) not in TABLE:
            with pytest.raises(Unreadable, match=f"not read of an? {kind(values[0])}"):
                apply(op, *values)


def test_values_of_different_kinds_are_compared_where_python_counts_with_them_only() -> None:
    alike = {
        ("truth value", "number"),
        ("number", "truth value"),
        ("tuple", "sequence"),
        ("sequence", "tuple"),
    }
    for a, b in itertools.permutations(VALUES, 2):
        if (kind(a), kind(b)) not in alike:
            with pytest.raises(Unreadable, match="of another type"):
                eq(a, b)


def test_a_wrong_translation_is_no_proof() -> None:
    with (
        planted(ERRORS["min as max"]),
        pytest.raises(SpecError, match=r"subjects\.py:\d+: .*: the translation is wrong"),
    ):
        admit(CASE, [constructs_model()], SHIPPED)


def test_there_must_be_a_model_and_of_this_specification() -> None:
    with pytest.raises(SpecError, match="no bounded model"):
        admit(CASE, [], OWN)
    other = replace(CASE.spec, name="other")
    with pytest.raises(SpecError, match="a model is of another specification"):
        admit(CASE, [constructs_model().over(other)], SHIPPED)


def test_a_property_that_is_false_on_purpose_is_no_premise() -> None:
    case = next(case for case in CASES if case.false)
    false, *others = dict.fromkeys(o.goal for o in case.false)
    assert not others
    known = {o.goal: case.premises(o) for o in case.obligations() if o.action == "page"}
    assert [goal for goal, names in known.items() if false in names] == [false]
    pins = Pins("", {Obligation("page", "join_exact"): (false,)})
    assert [line for line in pins.stale(case) if f"the premise {false}, which it cannot have" in line]
    assert pins.without_stale(case).premises == {}


BROKEN = '''\
from collections.abc import Iterator
from dataclasses import replace
from spec.kit import Holds, Spec
from spec.locks.events import Const, Flag, events
from spec.locks.models import event_model
from spec.locks.specification import At, Task

mine = Spec("mine", Flag, extends=events, without={without})

@mine.{kind}
{text}

@mine.invariant
def alone(k: Const, s: Flag) -> bool:
    """MY-2: It follows from `none_beside`."""
    return all(s.at[t] != At.WAIT or not s.up for t in k.tasks)

SMALL = Holds(mine, "small", lambda: [event_model(2, spec=mine)])
'''
ACTION = '''\
def lift(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """MY-1: The flag is set, and no task is woken."""
    yield replace(s, up=True)'''
INIT = '''\
def anyhow(k: Const, s: Flag) -> bool:
    """MY-1: The flag is set or not."""
    return all(s.at[t] == At.OUT for t in k.tasks)'''


@pytest.mark.short("init-without1-text1-lines1", why="seconds of proofs")
@pytest.mark.parametrize(
    ("kind", "without", "text", "lines"),
    [
        ("action()", (), ACTION, ["none_beside after lift", "alone after lift", "woken_by_set after wait"]),
        ("init", ("unset",), INIT, []),
    ],
)
def test_what_is_inherited_is_proved_again_where_it_may_not_hold(
    kind: str,
    without: tuple[str, ...],
    text: str,
    lines: list[str],
    tmp_path: Path,
    capsys: Captured,
    monkeypatch: Patch,
) -> None:
    monkeypatch.setattr(admission, "OWN", admission.SHIPPED)  # of an event, test_agreement.py compares more
    path = tmp_path / "mine.py"
    path.write_text(BROKEN.format(kind=kind, without=without, text=text), "utf-8")
    assert prove.main([str(path)]) == bool(lines)
    out = capsys.readouterr().out
    refuted = [line.removeprefix("  REFUTED: ") for line in out.splitlines() if "REFUTED" in line]
    assert {*lines} <= {*refuted}, "the last one was proved from the first"
    assert bool(refuted) == bool(lines)
    assert "mine: leaves_only_when_woken (EVENT-11) " in out, "an inherited property"
