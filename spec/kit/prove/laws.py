"""Whether the laws of opaque helpers are true of them: asserted of every call that bounded models make, and of others.

A law is an axiom of the proofs, so one that is false of its helper could prove anything.  A proof uses it wherever the
call is written, also in an `if` that is not taken: where the helper has no result, the law must be true of some result.
So "the pick of v is in v" has to be `v == frozenset() or r in v`.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, Final

from ..core import Spec
from ..model import Model
from ..render.infer import hints
from ..render.source import Untranslatable, at, helpers, roots

# Any below: specifications, and arguments of any function.

#: Of the values of each parameter that were seen so many are given to a helper with those of the others, and as many
#: calls as that are made.
SEEN, OTHERS = 8, 200
#: The numbers that are given besides.
NUMBERS: Final = [0, -1, 1, 99]
#: For the further parameters of a law, the values of the field of that name of the constants, and of so many states.
FURTHER = 20


class Laws:
    """The calls of the opaque helpers of a specification that have a law, each once, and whether their laws hold.

    `checked`: laws that are left out.
    """

    def __init__(self, spec: Spec[Any, Any], checked: Collection[object] = ()) -> None:
        self.spec = spec
        self.functions = list(dict.fromkeys([*roots(spec), *helpers(spec)]))
        self.watched = [fn for fn in self.functions if spec.laws.get(fn.__name__) not in (None, *checked)]
        self.calls: dict[FunctionType, dict[tuple[Any, ...], Any]] = {fn: {} for fn in self.watched}
        self.further: dict[FunctionType, list[tuple[Any, ...]]] = {}

    @property
    def unasked(self) -> list[FunctionType]:
        """The helpers that were never called."""
        return [fn for fn in self.watched if not self.calls[fn]]

    def see(self, model: Model[Any, Any], states: Iterable[Any]) -> None:
        """Assert the laws of the calls that the assumptions, the actions and the properties make in these states.

        Raises Untranslatable for a law that is false.
        """
        states = list(states)
        before = {fn: len(calls) for fn, calls in self.calls.items()}
        with self._recorded():
            for item in self.spec.assumes.values():
                item.fn(model.k)
            for s in states:
                model.broken(s)
                for event, t in model.successors(s):
                    model.broken(s, t, event)
        for fn, calls in self.calls.items():
            law = self.spec.laws[fn.__name__]
            names = list(hints(law))[fn.__code__.co_argcount + 1 : -1]
            records = [model.k, *states[:FURTHER]]
            more = [dict.fromkeys(getattr(r, n) for r in records if hasattr(r, n)) for n in names]
            self.further[fn] = list(itertools.product(*more))
            for args, result in list(calls.items())[before[fn] :]:
                for further in self.further[fn]:
                    if not law(*args, result, *further):
                        call = f"{fn.__name__}{(*args, result, *further)}"
                        raise at(law, f"this law is false of {call}: mend the law, or the helper")

    def beyond(self) -> None:
        """Assert the laws of further calls: of the same values in other pairs, of nothing at all, and of other numbers.

        Raises Untranslatable for a law that is false, or is true of no result where the helper raises an error.
        """
        for fn, calls in self.calls.items():
            law, seen = self.spec.laws[fn.__name__], [*dict.fromkeys(calls.values())][:SEEN]
            places = [[*dict.fromkeys(values)][:SEEN] for values in zip(*calls, strict=True)]
            types = list(hints(fn).values())
            numbers = [NUMBERS if of is int or of in self.spec.numbers else [] for of in types]
            every = itertools.product(
                *([*dict.fromkeys([*empty(v[0]), *more, *v])] for v, more in zip(places, numbers, strict=False))
            )
            for args in itertools.islice((args for args in every if args not in calls), OTHERS):
                try:
                    results, why = [fn(*args)], "this law is false of"
                except Exception:  # of values that no model gives it, it may raise any
                    parts = [x for each in args if isinstance(each, frozenset | tuple) for x in each]
                    results = [*seen, *parts, *empty(seen[0]), *numbers[-1]]
                    why = "this law is true of no result of"
                if not any(true(law, args, result, self.further[fn]) for result in results):
                    call = f"{fn.__name__}({', '.join(map(repr, args))})"
                    raise at(law, f"{why} {call}: mend the law, or the helper")

    @contextmanager
    def _recorded(self) -> Iterator[None]:
        """The helpers are replaced, where the functions of the specification find them, by ones that record calls."""
        spaces = {id(fn.__globals__): fn.__globals__ for fn in self.functions}.values()
        places = [
            (space, name, fn)
            for space in spaces
            for name, fn in list(space.items())
            if isinstance(fn, FunctionType) and fn in self.calls
        ]
        for space, name, fn in places:
            space[name] = self._recording(fn)
        try:
            yield
        finally:
            for space, name, fn in places:
                space[name] = fn

    def _recording(self, fn: FunctionType) -> Any:
        calls = self.calls[fn]

        def recording(*args: Any) -> Any:
            result = fn(*args)
            calls.setdefault(args, result)
            return result

        return recording


def empty(value: Any) -> list[Any]:
    """The empty value of the type of a set or a sequence."""
    return [type(value)()] if isinstance(value, frozenset | tuple) else []


def true(law: Any, args: tuple[Any, ...], result: Any, further: Iterable[tuple[Any, ...]]) -> bool:
    """Whether a law is true of a call, or cannot be asked of it."""
    try:
        return all(law(*args, result, *more) for more in further)
    except Exception:  # a helper that it calls may have no result
        return True


def unasked(fn: FunctionType) -> Untranslatable:
    """The error that no model calls a helper with a law."""
    return at(fn, "it has a law, and no bounded model calls it, so the law is not checked: add a model that does")
