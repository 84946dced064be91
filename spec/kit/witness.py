"""A witness of a property: a shortest run that exercises the property, for one that no wrong text breaks.

`not a or b` says something only where `a` is true: then `b` is evaluated.  So the property is evaluated as a marked
copy (`marks.py`), and the run ends in the first state, or with the first step, that reaches the most of its parts.
Of a leads-to property it ends in the first state where its trigger holds and its goal does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from .core import Event, Named
from .marks import Copies, Marks
from .model import Model
from .search import Came, Trace, back

# Any below: constants and states of any specification.

#: The most states to visit.
MOST_STATES = 2_000


@dataclass(frozen=True)
class Witness:
    """The run, empty if no state exercises the property; `missed` reports the parts that none exercises.

    `cut`: the search stopped at its bound, so that only the states nearest the start were asked.
    """

    trace: Trace[Any]
    missed: list[str]
    cut: bool


def witness(model: Model[Any, Any], item: Named, most: int = MOST_STATES) -> Witness:
    """A shortest run of `model` that exercises an invariant, a step property or a leads-to property of it.

    `most`: the most states to ask.
    """
    came: Came[Any] = dict.fromkeys(model.init)
    found: Trace[Any] = []
    most_parts = -1
    marks, reached = Marks(), set[int]()
    asked = triggered(model, item) if item.name in model.spec.progress else marked(model, item, marks)
    for trace, s, event, t in moments(model, came, most):
        marks.reached.clear()
        if asked(s, event, t) and len(marks.reached) > most_parts:
            found, most_parts = trace(), len(marks.reached)
            if not marks.points:
                break
        reached |= marks.reached
    marks.reached = reached
    return Witness(found, marks.missed(), len(came) > most)


#: Whether a property is asked of a state, or of a step to the state t; it is evaluated then.
Asked = Callable[[Any, Event | None, Any], bool]


def triggered(model: Model[Any, Any], item: Named) -> Asked:
    """Whether the trigger of a leads-to property holds in a state, for some parameters, and its goal does not."""
    trigger = item.trigger or item.fn
    values = [model.domains[kind] for kind in item.params]

    def asked(s: Any, event: Event | None, t: Any) -> bool:
        return event is None and any(
            trigger(model.k, s, *args) and not item.fn(model.k, s, *args) for args in product(*values)
        )

    return asked


def marked(model: Model[Any, Any], item: Named, marks: Marks) -> Asked:
    """Evaluates a marked copy of an invariant in each state, or of a step property on each of its steps."""
    fn = Copies(marks, lambda each: each is item.fn).of(item.fn)
    rules = {action.name: action.rule for action in model.spec.actions.values()}
    of_steps = item.name in model.spec.steps

    def asked(s: Any, event: Event | None, t: Any) -> bool:
        if (event is not None) != of_steps:
            return False
        if event is None:
            fn(model.k, s)
        elif not item.of:
            fn(model.k, s, t)
        elif rules[event.name] in item.of:
            fn(model.k, s, t, *event.args)
        else:
            return False
        return True

    return asked


def moments(
    model: Model[Any, Any], came: Came[Any], most: int
) -> Iterator[tuple[Callable[[], Trace[Any]], Any, Event | None, Any]]:
    """The states nearest the start, each followed by its steps, in breadth-first order.

    Each is: a function that makes the trace to it, the state, and for a step also its event and the state after it.
    `came` has the initial states, and gets the others; with more than `most`, the search was cut.
    """

    def way(s: Any, *last: tuple[Event, Any]) -> Trace[Any]:
        first, taken = back(came, s)
        return [(None, first), *taken, *last]

    todo = list(came)
    for s in todo:  # which grows
        yield lambda s=s: way(s), s, None, None  # type: ignore[misc]  # the default binds the state
        for event, t in model.successors(s):
            yield lambda s=s, event=event, t=t: way(s, (event, t)), s, event, t  # type: ignore[misc]  # so too
            if t not in came and len(came) <= most:
                came[t] = (event, s)
                if len(came) <= most:
                    todo.append(t)
