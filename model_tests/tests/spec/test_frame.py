"""Declarations beside actions, and properties of their steps: a planted error breaks one of them, by name.

Before, these errors showed only in the pinned counts of states and steps, which anybody may pin anew.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from spec.future import future_model
from spec.future import specification as future_module
from spec.kit.core import Map, Spec, SpecError
from spec.kit.model import Model
from spec.kit.mutants import mutant
from spec.kit.search import Violation, check
from spec.locks import CONDITION, LOCK, event_model, lock_model
from spec.locks import events as events_module
from spec.locks import specification as locks_module
from spec.queue import queue_model
from spec.queue import specification as queue_module
from spec.specifications import SPECIFICATIONS
from spec.stream import specification as stream_module
from spec.stream import stream_model
from spec.task import loop as loop_module
from spec.task import task_model

# Any in this file: constants and states of any specification.
Anything = Model[Any, Any]


class Planted(NamedTuple):
    """An error: in a function of a module, `old` becomes `new`; `actions` are those that are wrong then."""

    model: Callable[[], Anything]
    module: ModuleType
    function: str
    old: str
    new: str
    broken: str
    actions: tuple[str, ...] = ()


def a_lock() -> Anything:
    return lock_model(2, 1, LOCK)


def a_condition() -> Anything:
    return lock_model(3, 0, CONDITION)


PLANTED = [
    Planted(lambda: event_model(2), events_module, "cancel", "s.at[t] != At.OUT", "True", "cancel_ends_the_wait"),
    Planted(lambda: event_model(2), events_module, "cancel", "s.at[t] != At.OUT", "False", "allowed"),
    Planted(lambda: event_model(2), events_module, "cancel", "== At.WAIT", "== At.GONE", "cancel_ends_the_wait"),
    Planted(lambda: event_model(2), events_module, "cancel", "== At.WOKEN", "== At.OUT", "cancel_ends_the_wait"),
    Planted(lambda: event_model(2), events_module, "clear", "== At.OUT", "== At.WAIT", "allowed"),
    Planted(a_lock, locks_module, "acquire", "(k.barge or alone(k, s))", "k.barge", "acquires_at_once_if_free"),
    Planted(a_lock, locks_module, "cancel", "{t: At.LATE}", "{t: At.GONE}", "cancel_ends_the_wait"),
    Planted(a_condition, locks_module, "spurious", "== At.GONE and", "== At.LATE and", "allowed"),
    Planted(a_condition, locks_module, "notify", "s.free + 1", "s.free - 1", "notify_wakes_a_waiter"),
    Planted(lambda: task_model(1, 1, most=2), loop_module, "uncancel", "s.count[t] - 1", "s.count[t]",
        "uncancel_counts_one_less"),
    Planted(lambda: stream_model(1, 1, 1), stream_module, "carry_reset",
        "replace(wake(k, s, place(e)), resets=s.resets - {e},", "replace(wake(k, s, place(e)),", "reset_arrives_once"),
    Planted(lambda: future_model(1, 1, 1), future_module, "add", "< k.most", "<= k.most", "callbacks_within_limit"),
    Planted(lambda: queue_model(1, 0, 1), queue_module, "task_done", "> 0", "> 1", "allowed"),
    Planted(lambda: queue_model(1, 0, 1), queue_module, "may_put", "< k.puts", "<= k.puts",
        "puts_within_limit", ("put",)),
    Planted(lambda: queue_model(1, 0, 1), queue_module, "may_put", "< k.puts", "< k.puts - 1", "allowed", ("put",)),
]  # fmt: skip


def edited(planted: Planted) -> Spec[Any, Any]:
    """The specification with the error in the place of the right function."""
    fn = getattr(planted.module, planted.function)
    text = inspect.getsource(fn)
    text = text[text.index("def ") :]
    assert text.count(planted.old) == 1
    space = dict(vars(planted.module))
    exec(text.replace(planted.old, planted.new), space)
    for name in planted.actions:
        of = inspect.getsource(getattr(planted.module, name))
        exec(of[of.index("def ") :], space)
    actions = planted.actions or (planted.function,)
    return mutant(planted.model().spec, "planted", **{name: space[name] for name in actions})


@pytest.mark.parametrize("planted", PLANTED, ids=lambda p: f"{p.function}: {p.new}")
def test_what_counts_alone_showed_breaks_a_rule(planted: Planted) -> None:
    model = planted.model()
    check(model)
    with pytest.raises(Violation) as found:
        check(model.over(edited(planted)))
    assert found.value.name == planted.broken


@pytest.mark.parametrize(("module", "action"), [(events_module, "clear"), (locks_module, "spurious")])
def test_an_action_of_whose_steps_a_rule_speaks_cannot_be_dropped(module: ModuleType, action: str) -> None:
    text = inspect.getsource(module)
    dropped = re.sub(rf"@\w+\.action\([^\n]*\)\ndef {action}\(", f"def {action}(", text)
    assert dropped != text
    space = {"__name__": module.__name__, "__package__": module.__package__}
    with pytest.raises(SpecError, match=f"has no action {action}, of whose steps a property speaks"):
        exec(compile(dropped, "dropped", "exec", dont_inherit=True), space)


def test_every_action_has_a_frame() -> None:
    for spec in SPECIFICATIONS:
        assert [item.name for item in spec.actions.values() if item.changes is None] == []


@dataclass(frozen=True)
class Const:
    """The constants: the keys."""

    keys: frozenset[int]


@dataclass(frozen=True)
class State:
    """A map, a set and a flag."""

    of: Map[int, int]
    some: frozenset[int]
    flag: bool = False


def counter(changes: str, whenever: Callable[..., bool] | None = None) -> Model[Const, State]:
    spec: Spec[Const, State] = Spec("counter", State)

    @spec.action(changes=changes, whenever=whenever)
    def count(k: Const, s: State, x: int) -> Iterator[State]:
        """MY-1: The value at x is counted up, once, and x is one of some."""
        if s.of[x] == 0:
            yield replace(s, of=s.of | {x: 1}, some=s.some | {x})

    return Model(spec, Const(frozenset({0, 1})), (State(Map({0: 0, 1: 0}), frozenset()),), {int: [0, 1]})


@pytest.mark.parametrize("changes", ["of some", "of[x] some", "of some[x]", "flag of[x] some[x]"])
def test_a_step_may_change_what_its_frame_says(changes: str) -> None:
    assert len(check(counter(changes)).states) == 4


@pytest.mark.parametrize("changes", ["", "of", "some[x]", "flag"])
def test_and_nothing_else(changes: str) -> None:
    with pytest.raises(Violation, match=r"counter: frame \(MY-1\) is broken after 1 step"):
        check(counter(changes))


def test_a_key_is_one_key() -> None:
    spec = counter("of[x] some[x]").spec

    def count(k: Const, s: State, x: int) -> Iterator[State]:
        """MY-1: Wrong: the other value is counted up."""
        yield replace(s, of=s.of | {1 - x: 1})

    def add(k: Const, s: State, x: int) -> Iterator[State]:
        """MY-1: Wrong: the other is one of some."""
        yield replace(s, some=s.some | {1 - x})

    for wrong in count, add:
        with pytest.raises(Violation, match="frame"):
            check(counter("").over(mutant(spec, "another key", count=wrong)))


@pytest.mark.parametrize("changes", ["off", "of[y]", "of[k]"])
def test_a_frame_speaks_of_fields_and_parameters(changes: str) -> None:
    with pytest.raises(SpecError, match=r"count: changes=.*: there is no"):
        counter(changes)


def test_an_action_is_possible_wherever_it_must_be() -> None:
    assert len(check(counter("of some", lambda k, s, x: s.of[x] < 1)).states) == 4
    with pytest.raises(Violation, match=r"counter: allowed \(MY-1\) is broken after 1 step") as found:
        check(counter("of some", lambda k, s, x: x == 0))
    assert str(found.value).endswith("count(0) cannot happen here, and must be possible")
