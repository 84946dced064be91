"""The scene of a counterexample of a specification: a row for each state, a lane for each part of the state."""

import os
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Final

from impl.picture import Row, Scene
from spec.commands.run import Broken, label
from spec.kit.core import Event, Map, Named
from spec.kit.search import show

# Any: a state of any specification.

#: Steps belong to no part of the state: their lane has no name.
STEPS: Final = 0


def scene_of(broken: Broken) -> Scene:
    """Return the scene of a counterexample; the values that a step changes are marked."""
    violation, model = broken.violation, broken.model
    states = [dict(parts(state)) for _, state in violation.trace]
    lanes = ["", *dict.fromkeys(name for state in states for name in state)]
    rows = []
    before: dict[str, str] = {}
    for n, ((event, _), state) in enumerate(zip(violation.trace, states, strict=True)):
        changed = tuple((lanes.index(name), text) for name, text in state.items() if before.get(name) != text)
        action = None if event is None else model.spec.actions[event.name]
        rows.append(_row(broken, n, event, action, changed))
        before = state
    return Scene(label(broken.instance), tuple(lanes), tuple(rows), tuple(_notes(broken)))


def parts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The parts of a state by their names, each as text: the fields of a record, the values of a map."""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from parts(getattr(value, field.name), f"{name}.{field.name}".lstrip("."))
    elif isinstance(value, Map):
        for key, item in value.items():
            yield from parts(item, f"{name}[{show(key)}]")
    else:
        yield name, show(value)


def _row(
    broken: Broken, n: int, event: Event | None, action: Named | None, changed: tuple[tuple[int, str], ...]
) -> Row:
    wrong = action is not None and action.fn not in {each.fn for each in broken.instance.spec.actions.values()}
    fault = _fault(broken, n)
    code = None if action is None else action.fn.__code__
    return Row(
        STEPS,
        "init" if event is None else str(event) + ("" if changed else ", which changes nothing"),
        values=changed,
        rule=_rule(broken) if fault else "" if action is None else action.rule,
        where="" if code is None else f"{os.path.relpath(code.co_filename)}:{code.co_firstlineno}",
        source="" if action is None else action.doc.partition("\n")[0],
        touches=("the action is wrong on purpose",) if wrong and broken.meant else (),
        fault=fault,
    )


def _fault(broken: Broken, n: int) -> str:
    """The error in the state of that number."""
    violation = broken.violation
    last = len(violation.trace) - 1
    if violation.depth == last:
        return _broken(broken) if n == last else ""
    if n == violation.depth:
        return f"{violation.name} is owed from here on, and what follows may be repeated for ever"
    return f"as after step {violation.depth + 1}: it may begin again" if n == last else ""


def _broken(broken: Broken) -> str:
    """The last state, or the step to it, breaks a property."""
    name = broken.violation.name
    if name == "deadlock":
        return "a deadlock: no step is possible here"
    if name == "refinement":
        return "the higher specification does not allow this"
    if name in broken.model.spec.progress:
        return f"{name} need not come: the run may stop here"
    return f"breaks {name}"


def _rule(broken: Broken) -> str:
    found = broken.model.spec.properties.get(broken.violation.name)
    return "" if found is None else found.rule


def _notes(broken: Broken) -> Iterator[str]:
    yield str(broken.violation).partition("\n")[0]
    found = broken.model.spec.properties.get(broken.violation.name)
    if found is not None:
        yield found.doc.partition("\n")[0]
    right = {each.fn for each in broken.instance.spec.actions.values()}
    for action in broken.model.original.actions.values():
        if action.fn not in right:
            yield f"{action.name} is {action.doc.partition(chr(10))[0]}"
