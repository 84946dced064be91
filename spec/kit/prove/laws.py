"""Whether the laws of opaque helpers are true of them: asserted of every call that bounded models make.

A law is an axiom of the proofs, so one that is false of its helper could prove anything.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from ..core import Spec
from ..model import Model
from ..render.infer import hints
from ..render.source import Untranslatable, at, helpers, roots

# Any below: specifications, and arguments of any function.

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
            for args, result in list(calls.items())[before[fn] :]:
                for further in itertools.product(*more):
                    if not law(*args, result, *further):
                        call = f"{fn.__name__}{(*args, result, *further)}"
                        raise at(law, f"this law is false of {call}: mend the law, or the helper")

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


def unasked(fn: FunctionType) -> Untranslatable:
    """The error that no model calls a helper with a law."""
    return at(
        fn, "it has a law, and no bounded model calls it, so the law is not checked: add a model that does"
    )
