"""Symmetry: the representatives of states with interchangeable names, and whether the two are alike.

`sorted_by` makes the `canon` of a model: names are sorted, and every field is renamed that has them by its type.

The search keeps representatives only, so a property that names one task, or an action that prefers one, would be asked
in some of the states that it tells apart, and not in others.  Two states that are alike break the same properties,
meet the same conditions on initial states, and have the same steps, up to `canon`.  So much is compared in the first
MOST states of the search without the symmetry; further on, the search compares the invariants of each state that it
meets with those of its representative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from .core import K, Map, Named, S, SpecError, replace
from .model import Model, false_of

N = TypeVar("N")
#: A value under other names.
Renamed: TypeAlias = Callable[[Any, Mapping[Any, Any]], Any]  # Any: values and names of any specification

#: The number of states that are compared with their representatives in all respects.
MOST = 200


def sorted_by(state: type[S], of: Any, names: list[N], rank: Callable[[S, N], Any]) -> Callable[[S], S]:
    """The canon of states with interchangeable `names`, values of the type `of`: the state with these sorted by rank.

    Names of one rank must be alike.
    """
    rename = renaming(state, of)

    def canon(s: S) -> S:
        order = sorted(names, key=lambda name: rank(s, name))
        return s if order == names else rename(s, dict(zip(order, names, strict=True)))

    return canon


def renaming(state: type[S], of: Any) -> Callable[[S, Mapping[Any, Any]], S]:
    """A function from a state, and other names for values of the type `of`, to the state with those in their place.

    A name without another one stays.
    """
    found = {name: renamed(hint, of) for name, hint in get_type_hints(state).items()}
    fields = {name: rename for name, rename in found.items() if rename is not None}

    def rename(s: Any, new: Mapping[Any, Any]) -> Any:  # Any: a state, which is a dataclass
        return replace(s, **{name: part(getattr(s, name), new) for name, part in fields.items()})

    return rename


def renamed(hint: Any, of: Any) -> Renamed | None:
    """How a value of an annotation is renamed; None if it has no names."""
    if hint is of:
        return lambda name, new: new.get(name, name)
    parts = [renamed(part, of) for part in get_args(hint)]
    if not any(parts):
        return None
    first, *others = (part or (lambda value, new: value) for part in parts)
    origin: Any = get_origin(hint)
    if origin is Map:  # its keys, which are renamed among themselves, keep their order

        def rename(value: Any, new: Mapping[Any, Any]) -> Any:
            found = {first(key, new): others[0](item, new) for key, item in value.items()}
            return Map({key: found[key] for key in value})

        return rename
    if origin is tuple and ... not in get_args(hint):
        return lambda value, new: tuple(part(x, new) for part, x in zip((first, *others), value, strict=True))
    if origin not in (tuple, frozenset):
        raise SpecError(f"{hint}: a state with such a field has no symmetry: take a Map, a frozenset or a tuple")
    return lambda value, new: origin(first(item, new) for item in value)


class Mark(NamedTuple):
    """Something that can be seen of a state: `key` tells it from others of the same rule."""

    rule: Named
    why: str
    key: Hashable = None


class Symmetry(Generic[K, S]):
    """The symmetry of a model, which must have one; results are kept by state."""

    def __init__(self, model: Model[K, S], canon: Callable[[S], S]) -> None:
        self.model, self.canon = model, canon
        self.known: dict[S, Counter[Mark]] = {}
        self.compared: set[S] = set()

    def check(self) -> None:
        """Compare the first states that are reached without the symmetry with their representatives.

        Raises:
            SpecError: two that are said to be alike are not; with both.
        """
        met = dict.fromkeys(self.model.init)
        todo = list(met)
        for s in todo:  # grows
            c = self.canon(s)
            self.model.refuse(c, f"the canon of {s}")
            if self.canon(c) != c:
                raise self._unlike(c, self.canon(c), "its canon gives the first another representative")
            if different := self._marks(s) - self._marks(c) or self._marks(c) - self._marks(s):
                mark = min(different, key=lambda mark: mark.why)
                raise self._unlike(s, c, mark.why).at(mark.rule.fn)
            for _, t in self.model.successors(s):
                if t not in met and len(met) < MOST:
                    met[t] = None
                    todo.append(t)

    def invariants(self, s: S, c: S) -> None:
        """Compare the invariants of a state with those of its representative.

        Raises:
            SpecError: one is false of only one of them; with both.
        """
        if s not in self.compared:
            self.compared.add(s)
            a, b = self.model.broken(s), self.model.broken(c)
            for item in a if len(a) > len(b) else b:
                if item not in a or item not in b:
                    raise self._unlike(s, c, f"{item.name} is true of one of them only").at(item.fn)

    def _marks(self, s: S) -> Counter[Mark]:
        """All that can be seen of a state."""
        if s in self.known:
            return self.known[s]
        model, spec = self.model, self.model.spec
        conditions = (*spec.invariants.values(), *spec.inits.values())
        found = [Mark(p, f"{p.name} is true of one of them only") for p in false_of(conditions, model.k, s)]
        happened = set()
        for event, t in model.successors(s):
            happened.add(event)
            broken = tuple(p.name for p in model.broken(s, t, event))
            action, why = (
                spec.actions[event.name],
                f"{event.name} has steps from one that it lacks from the other",
            )
            found.append(Mark(action, why, (self.canon(t), broken)))
        if refused := model.refused(s, happened):
            rule = spec.actions[refused[1].name]
            found.append(Mark(rule, f"{rule.name} must be possible in one of them only"))
        self.known[s] = Counter(found)
        return self.known[s]

    def _unlike(self, s: S, c: S, why: str) -> SpecError:
        return SpecError(
            f"{self.model.spec.name}: the model is not symmetric: {why}; leave out its canon, or treat all values"
            f" alike\n{s}\n{c}"
        )
