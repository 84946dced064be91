"""A plain enumeration of a bounded model, from the functions of its specification alone: the third opinion.

It knows nothing of the search: a list of states, a dict of their numbers, and every step.
"""

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Final

from spec.kit import Model
from spec.kit.core import Named
from spec.kit.frame import ALLOWED, FRAME

#: The verdict on a property that cannot be evaluated.
ERROR: Final = "error"

# Any: states and constants of any specification.


@dataclass
class Enumeration:
    """The states in the order of their distance from the initial ones, and the steps between them, by numbers.

    `expanded`: of so many, the first ones, all steps.  `ended`: there it ended, because an action raised an exception.
    """

    model: Model[Any, Any]
    states: list[Any] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    steps: list[tuple[int, str, tuple[Any, ...], int]] = field(default_factory=list)
    expanded: int = 0
    ended: bool = False

    def events(self, action: Named) -> Iterator[tuple[Any, ...]]:
        return product(*(self.model.domains[of] for of in action.params))

    def verdict(self, name: str) -> int | str | None:
        """The least number of steps after which a property is broken, of a leads-to property 0; None: it holds.

        ERROR: it is neither true nor false before that, or the enumeration has ended.
        """
        spec, k, s = self.model.spec, self.model.k, self.states
        try:
            if name == ALLOWED:
                broken = (self.depths[i] for i in range(self.expanded) if not self.allowed(i))
            elif name == FRAME:
                broken = (
                    self.depths[i] + 1 for i, name, args, j in self.steps if not self.framed(s[i], name, args, s[j])
                )
            elif item := spec.progress.get(name):
                broken = (0 for args in self.events(item) if not self.ended and self.avoided(item, args))
            elif item := spec.steps.get(name):
                broken = (self.depths[i] + 1 for i, _, _, j in self.steps if not truth(item, k, s[i], s[j]))
            else:
                item = spec.invariants[name]
                broken = (d for t, d in zip(s, self.depths, strict=True) if not truth(item, k, t))
            return next(broken, ERROR if self.ended else None)
        except Exception:  # of a property that is beyond the subset
            return ERROR

    def allowed(self, i: int) -> bool:
        """Whether each event that must be possible in a state has a step."""
        can = {(name, args) for a, name, args, _ in self.steps if a == i}
        return not any(
            (name, args) not in can and truth(demand(action), self.model.k, self.states[i], *args)
            for name, action in self.model.spec.actions.items()
            for args in (self.events(action) if action.whenever else ())
        )

    def framed(self, s: Any, name: str, args: tuple[Any, ...], t: Any) -> bool:
        """Whether a step changes only the fields that its action declares."""
        action = self.model.spec.actions[name]
        if action.changes is None:
            return True
        may = dict(re.findall(r"(\w+)(?:\[(\w+)\])?", action.changes))
        given = dict(zip([*inspect.signature(action.fn).parameters][2:], args, strict=True))
        for of, before in vars(s).items():
            after, key = getattr(t, of), may.get(of)
            if key and isinstance(before, frozenset):
                before, after = before - {given[key]}, after - {given[key]}
            elif key:
                before, after = ([x for x in each.items() if x[0] != given[key]] for each in (before, after))
            if key != "" and before != after:
                return False
        return True

    def avoided(self, item: Named, args: tuple[Any, ...]) -> bool:
        """Whether a fair run owes a goal for ever: in some part it can go round, and no fair action is put off."""
        k, assumed = self.model.k, item.trigger
        assert assumed is not None
        due = {i for i, s in enumerate(self.states) if not truth(item, k, s, *args)}
        after: dict[int, set[int]] = {i: {j for a, _, _, j in self.steps if a == i and j in due} for i in due}
        reach = {i: closure({i}, after) for i in due}
        begun = closure({i for i in due if assumed(k, self.states[i], *args)}, after)
        return any(self.is_fair({j for j in reach[i] if i in reach[j]}) for i in begun)

    def is_fair(self, part: set[int]) -> bool:
        """Whether a run that stays in a part can be fair: each fair event is taken there, or at times cannot be."""
        for name, action in self.model.spec.actions.items():
            for args in self.events(action) if action.fair else ():
                leads = {(i, j) for i, n, a, j in self.steps if (n, a) == (name, args) and i != j}
                if part <= {i for i, _ in leads} and not any({i, j} <= part for i, j in leads):
                    return False
        return True


def closure(begin: set[int], after: dict[int, set[int]]) -> set[int]:
    found, todo = set(begin), list(begin)
    while todo:
        new = after[todo.pop()] - found
        found |= new
        todo += new
    return found


def enumerated(model: Model[Any, Any], most: int) -> Enumeration | None:
    """All states and steps of a model; None: there are more states than `most`."""
    found, numbers = Enumeration(model), dict[Any, int]()

    def number(s: Any, depth: int) -> int:
        if s not in numbers:
            numbers[s] = len(found.states)
            found.states.append(s)
            found.depths.append(depth)
        return numbers[s]

    for s in model.init:
        number(s, 0)
    for i, s in enumerate(found.states):  # it grows
        if len(found.states) > most:
            return None
        try:
            for name, action in model.spec.actions.items():
                for args in found.events(action):
                    for t in action.fn(model.k, s, *args):
                        found.steps.append((i, name, args, number(t, found.depths[i] + 1)))
        except Exception:  # of an action that is beyond the subset
            found.ended = True
            break
        found.expanded += 1
    return found


def demand(action: Named) -> Named:
    """Where an action must be possible."""
    assert action.whenever is not None
    return replace(action, fn=action.whenever)


def truth(item: Named, *given: Any) -> bool:
    if (value := item.fn(*given)) is not True and value is not False:
        raise TypeError(f"{item.name} gives {value!r}")
    return bool(value)
