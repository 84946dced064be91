"""Mutants: specifications with one known error, which a check must find.

A wrong action is written out, or it is the right one with an edit, a function of parameters of the action:

    cancel=lambda s, q: replace(q, line=s.line)         another result; `q` is a state that the right action yields
    release=only_where(lambda s, t: s.held[t] > 1)      it is refused elsewhere
    task_done=in_state(lambda s, t: idle(s, t))         it takes the state for this one
    put=in_state(lambda s: replace(s, buf=()), "buf")   the same, and the field stays as it was

Readers of the text meet a generator that calls the right action and the edit.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, get_type_hints

from .annotations import annotate
from .core import K, Named, S, Spec, SpecError, replace
from .rules import where

# Any below: actions and edits of any signature.


@dataclass(frozen=True)
class Edit:
    """An edit of an action: `call` is its text, with the places of parameters; `is_bool`: the edit is a condition."""

    fn: Callable[..., Any]
    call: str
    is_bool: bool = False


#: The text of an action with another result.
RESULT: Final = "for q in right({params}):\n        yield result({given})"


def only_where(condition: Callable[..., bool]) -> Edit:
    """The right action, only where a condition on its parameters holds."""
    return Edit(condition, "if result({given}):\n        yield from right({params})", is_bool=True)


def in_state(state: Callable[..., Any], *kept: str) -> Edit:
    """The right action as it is in another state, a function of its parameters; the fields `kept` do not change."""
    same = ", ".join(f"{name}=s.{name}" for name in kept)
    after = f"for q in right({{first}}, result({{given}}){{rest}}):\n        yield replace(q, {same})"
    return Edit(state, after if kept else "yield from right({first}, result({given}){rest})")


def mutant(base: Spec[K, S], error: str, **wrong: Callable[..., Any] | Edit) -> Spec[K, S]:
    """`base` with one known error: each named action is replaced by a wrong one with the same declarations.

    Raises:
        SpecError: an edit has a parameter that its action does not have, or a wrong action is not documented as
            one: its docstring begins with the identifier of the action that it replaces.
    """
    spec = Spec(f"{base.name}: {error}", base.state, base, without=wrong)
    for name, given in wrong.items():
        right = base.actions[name]
        fn = edited(right, given, error, base.state)
        register = spec.action(
            fair=right.fair,
            hidden=right.hidden,
            answer=right.answer,
            changes=right.changes,
            whenever=right.whenever,
        )
        if not (inspect.getdoc(fn) or "").startswith(f"{right.rule}: "):
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
    spec.action(hidden=right.hidden, answer=right.answer)(edited(right, lambda q: q, error, base.state))
    return spec


def edited(right: Named, given: Callable[..., Any] | Edit, error: str, state: type[S]) -> Callable[..., Iterator[S]]:
    """An action that calls the right one and an edit of it; one that is written out is returned as it is.

    Raises:
        SpecError: the edit has a parameter that the action does not have.
    """
    if inspect.isgeneratorfunction(given):
        return given
    edit = given if isinstance(given, Edit) else Edit(given, RESULT)
    name, types, result = f"{right.name}_wrong", get_type_hints(right.fn), edit.fn
    known = {**types, "q": state} if edit.call == RESULT else types
    takes = list(inspect.signature(result).parameters)
    if unknown := [param for param in takes if param not in known]:
        own = "write q, or one of its own" if "q" in known else "write one of its own"
        raise SpecError(f"{right.name} has no parameter {unknown[0]}: {own}").at(result)
    result.__name__ = f"{name}_result"
    annotate(result, {**{param: known[param] for param in takes}, "return": bool if edit.is_bool else state})
    names = list(inspect.signature(right.fn).parameters)
    rest = "".join(f", {param}" for param in names[2:])
    params = ", ".join(names)
    call = edit.call.format(params=params, given=", ".join(takes), first=names[0], rest=rest)
    text = f"def {name}({params}):\n    {call}\n"
    # The path says all of the text: so two actions with the same path have the same text.
    path = f"<{name}({params}): {' '.join(call.split())}>"
    linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path  # as doctest does
    scope: dict[str, Any] = {
        "right": right.fn,
        "result": result,
        "replace": replace,
        "__name__": result.__module__,
    }
    exec(compile(text, path, "exec"), scope)
    made: Callable[..., Iterator[S]] = scope[name]
    annotate(made, types)
    made.__doc__ = f"{right.rule}: Wrong: {error}."
    # An error names the place of the row.
    vars(made).update(__wrapped__=result, __signature__=inspect.signature(right.fn))
    return made
