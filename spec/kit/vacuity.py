"""Vacuity: whether the instances of a specification exercise all of it.

A rule can hold because no run ever comes near it: an action that never happens, an antecedent that is never true.  So a
twin of the specification is made of marked copies of its functions (`marks.py`), and small models of it are searched
until every point has been reached:

    an action                    happens, and changes the state (unless it yields nothing but the state itself)
    a `yield`, a `yield from`    is taken; one of an action's own, of more than the state itself, changes it
    an operand of an `or`        is evaluated, and true: of `not a or b` the antecedent a was true, and false
    a `return`, `x if c else y`  each branch is taken
    a comprehension              its body is evaluated: its range, filtered, was not empty
    a trigger                    is true somewhere where the goal is not

A short search suffices to show that a point is reached, so a search may end at a bound here.  The other half is that
each property can fail: there is an instance that breaks it (`unfailing`).

The parts that a user's specification inherits from a shipped one are taken for granted: only its own are examined.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from itertools import product
from typing import Any

from .bounded import Fails, Holds, Instance
from .core import Named, Spec
from .frame import DECLARED
from .marks import Copies, Marks, is_name
from .model import Model
from .render.source import Untranslatable, source
from .rules import where
from .search import LimitError, Violation, check

# Any below: the models of any specification, and functions of any signature.

#: The package of the shipped specifications.
SHIPPED = (__package__ or "").rpartition(".")[0]
#: The most states of a model to visit: at first, because few are mostly enough, and after that.
FEW_STATES, MOST_STATES = 600, 10_000


@dataclass(frozen=True)
class Cover:
    """The numbers of points of each kind reached in `states` states, and the reports of those `missed`.

    `unread`: the functions without a source that can be found; nothing is known of these.
    """

    states: int
    kinds: Counter[str]
    missed: list[str]
    unread: list[str]


def cover(spec: Spec[Any, Any], instances: Iterable[Holds], *, own: bool = False, most: int = MOST_STATES) -> Cover:
    """The points that these instances of `spec` reach, one after the other until all are reached.

    `own`: `spec` is a user's specification.  `most`: the most states of each model to visit.
    """
    twin = Twin(spec, to_look_at(spec, own))
    marks = twin.marks
    models = [model for instance in instances for model in instance.models()]
    visited, before = [0] * len(models), 0
    for bound in sorted({min(FEW_STATES, most), most}):
        for number, model in enumerate(models):
            if len(marks.reached) < len(marks.points) and visited[number] == before:
                visited[number] = twin.search(model, bound)
        before = bound  # a model that has fewer states is visited
    kinds = Counter(point.kind for n, point in enumerate(marks.points) if point.kind and n in marks.reached)
    return Cover(sum(visited), kinds, marks.missed(), twin.copies.unread)


def unfailing(spec: Spec[Any, Any], instances: Iterable[Instance], *, own: bool = False) -> list[str]:
    """The properties of `spec` that no instance shows to fail, with file and line."""
    mine = to_look_at(spec, own)
    of_it = [instance for instance in instances if instance.spec is spec]
    fails = {instance.broken for instance in of_it if isinstance(instance, Fails)}
    found = []
    for item in spec.properties.values():
        if item.name not in fails and mine(item.fn):
            path, line = where(item.fn)
            found.append(f"{path}:{line}: {item.name} ({item.rule}): no instance shows that it can fail")
    for what, field in DECLARED.items():
        declared = [a.fn for a in spec.actions.values() if getattr(a, field) is not None and mine(a.fn)]
        if declared and what not in fails:
            path, line = where(declared[0])
            found.append(f"{path}:{line}: {field} of {declared[0].__name__}: no instance shows that it can fail")
    if "refinement" not in fails and any(isinstance(i, Holds) and i.refines for i in of_it):
        found.append(f"{spec.name}: no instance shows that the refinement can fail")
    if any(map(mine, (item.fn for item in spec.progress.values()))) and not any(
        isinstance(i, Holds) and i.live for i in of_it
    ):
        found.append(f"{spec.name}: no instance is live: leads-to properties are not checked")
    return found


def to_look_at(spec: Spec[Any, Any], own: bool) -> Callable[[Callable[..., Any]], bool]:
    """Which functions are examined: those of the specification and its helpers, not libraries or other specifications.

    A specification that calls helpers of another need not exercise all of them; a user's, nothing that is shipped.
    """
    mine = homes(spec)

    def look(fn: Callable[..., Any]) -> bool:
        module = fn.__module__ or ""  # a function made by `exec` has none
        package = module.partition(".")[0]
        if package in sys.stdlib_module_names or module.startswith(f"{__package__}."):
            return False
        if own:
            return not module.startswith(f"{SHIPPED}.")
        return fn.__module__ in mine or not any(
            fn.__module__ in homes(other) for other in fn.__globals__.values() if isinstance(other, Spec)
        )

    return look


def homes(spec: Spec[Any, Any]) -> set[str]:
    """The modules that contain the text of a specification."""
    return {item.fn.__module__ for table in spec.tables() for item in table.values()}


class Twin:
    """A specification of marked copies: `spec`, which has the actions and properties of the original."""

    def __init__(self, spec: Spec[Any, Any], mine: Callable[[Callable[..., Any]], bool]) -> None:
        self.marks = Marks()
        self.copies = Copies(self.marks, mine)
        self.spec: Spec[Any, Any] = Spec(spec.name, spec.state)
        self.domains: Mapping[object, Iterable[Hashable]] = {}
        self.spec.actions.update({name: self._action(item) for name, item in spec.actions.items()})
        for table, theirs in ((self.spec.invariants, spec.invariants), (self.spec.steps, spec.steps)):
            table.update({name: replace(item, fn=self.copies.of(item.fn)) for name, item in theirs.items()})
        self.spec.invariants.update({name: self._watch(item) for name, item in spec.progress.items()})

    def search(self, model: Model[Any, Any], most: int) -> int:
        """Visit at most so many states of the model; returns how many."""
        self.domains = model.domains
        try:
            return len(check(model.over(self.spec), limit=most, symmetry=False).parent)
        except (LimitError, Violation):  # the check itself reports violations
            return most

    def _action(self, item: Named) -> Named:
        if not self.copies.mine(item.fn):
            return item
        path, line = where(item.fn)
        happens = self.marks.add("action", f"{path}:{line}: {item.name} never happens")
        state, still = state_of(item.fn)
        number = happens if still else self.marks.add("", f"{path}:{line}: {item.name} changes nothing", happens)
        fn = self.copies.of(item.fn, state=state, after=happens)
        answer = self.copies.of(item.answer, after=happens) if item.answer else None

        @wraps(item.fn)
        def watched(k: Any, s: Any, *args: Any) -> Iterator[Any]:
            for t in fn(k, s, *args):
                self.marks.reached.add(happens)
                if number not in self.marks.reached and t != s:
                    self.marks.reached.add(number)
                if answer:
                    answer(k, s, t, *args)
                yield t

        return replace(item, fn=watched)

    def _watch(self, item: Named) -> Named:
        """As an invariant that always holds: evaluates trigger, goal and rank in every state."""
        goal, trigger = self.copies.of(item.fn), self.copies.of(item.trigger or item.fn)
        ranks = [self.copies.of(fn) for fn in item.reasons if fn is not item.trigger]
        number = None
        if self.copies.mine(item.fn):
            path, line = where(item.fn)
            number = self.marks.add("trigger", f"{path}:{line}: {item.name}: its trigger never waits for it")

        @wraps(item.fn)
        def watched(k: Any, s: Any) -> bool:
            for args in product(*(self.domains[t] for t in item.params)):
                asked, met = trigger(k, s, *args), goal(k, s, *args)
                if number is not None and asked and not met:
                    self.marks.reached.add(number)
                for fn in ranks:
                    fn(k, s, *args)
            return True

        return replace(item, fn=watched)


def state_of(fn: Callable[..., Any]) -> tuple[str, bool]:
    """The name of an action's state, and whether the action yields nothing else: then it changes nothing on purpose.

    Empty and false if its source cannot be found.
    """
    try:
        tree = source(fn).tree
    except Untranslatable:
        return "", False
    state = tree.args.args[1].arg
    given = [node for node in ast.walk(tree) if isinstance(node, ast.Yield | ast.YieldFrom)]
    return state, bool(given) and all(isinstance(y, ast.Yield) and is_name(y.value, state) for y in given)
