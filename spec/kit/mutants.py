"""Mutants: specifications with one known error, which a check must find.

A wrong action is written out, or it is the right one with another result.  The result is a function of `q`, a state
that the right action yields, and of parameters of the action: `cancel=lambda s, q: replace(q, line=s.line)`.  Readers
of the text meet a generator that calls both.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

from .annotations import annotate
from .core import K, Named, S, Spec, SpecError
from .rules import where

# Any below: actions and results of any signature.


def mutant(base: Spec[K, S], error: str, **wrong: Callable[..., Any]) -> Spec[K, S]:
    """`base` with one known error: each named action is replaced by a wrong one with the same declarations.

    Raises:
        SpecError: a wrong result has a parameter that its action does not have, or a wrong action is not documented as
            one: its docstring begins with the identifier of the action that it replaces.
    """
    spec = Spec(f"{base.name}: {error}", base.state, base, without=wrong)
    for name, fn in wrong.items():
        right = base.actions[name]
        register = spec.action(
            fair=right.fair,
            hidden=right.hidden,
            answer=right.answer,
            changes=right.changes,
            whenever=right.whenever,
        )
        if not inspect.isgeneratorfunction(fn):
            fn = with_result(right, fn, error, base.state)
        elif not (inspect.getdoc(fn) or "").startswith(f"{right.rule}: "):
            path, line = where(fn)
            raise SpecError(
                f"{path}:{line}: {fn.__name__} takes the place of {name}, which is {right.rule}: begin its docstring"
                f' as in "{right.rule}: Wrong: ..."'
            ).at(fn)
        register(fn)
    return spec


def unfair(base: Spec[K, S], error: str, name: str, *without: str) -> Spec[K, S]:
    """`base`, but one of its actions need never happen, and those in `without` are not there."""
    spec = Spec(f"{base.name}: {error}", base.state, base, without=(name, *without))
    right = base.actions[name]
    spec.action(hidden=right.hidden, answer=right.answer)(with_result(right, lambda q: q, error, base.state))
    return spec


def with_result(
    right: Named, result: Callable[..., S], error: str, state: type[S]
) -> Callable[..., Iterator[S]]:
    """An action that yields `result` for each state that the right one yields.

    Raises:
        SpecError: the result has a parameter that the action does not have.
    """
    name, types = f"{right.name}_wrong", get_type_hints(right.fn)
    known = {**types, "q": state}
    takes = list(inspect.signature(result).parameters)
    if unknown := [param for param in takes if param not in known]:
        raise SpecError(f"{right.name} has no parameter {unknown[0]}: write q, or one of its own").at(result)
    result.__name__ = f"{name}_result"
    annotate(result, {**{param: known[param] for param in takes}, "return": state})
    params, given = ", ".join(inspect.signature(right.fn).parameters), ", ".join(takes)
    text = f"def {name}({params}):\n    for q in right({params}):\n        yield result({given})\n"
    # The path says all of the text: so two actions with the same path have the same text.
    path = f"<{name}({params}) from result({given})>"
    linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path  # as doctest does
    scope: dict[str, Any] = {"right": right.fn, "result": result, "__name__": result.__module__}
    exec(compile(text, path, "exec"), scope)
    made: Callable[..., Iterator[S]] = scope[name]
    annotate(made, types)
    made.__doc__ = f"{right.rule}: Wrong: {error}."
    # An error names the place of the row.
    vars(made).update(__wrapped__=result, __signature__=inspect.signature(right.fn))
    return made
