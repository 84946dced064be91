"""The methods of classes: found, replaced for a while, and the arguments of their calls."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, TypeAlias

from spec.kit.core import SpecError
from spec.kit.model import Model

# Any in this file: methods of any class, and models of any specification.
AnyModel: TypeAlias = Model[Any, Any]
Method: TypeAlias = Callable[..., Any]


def given(
    signature: inspect.Signature, wanted: int, args: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[Any, ...]:
    """The arguments of a call in the order of the signature, with defaults for the first `wanted` of them."""
    try:
        bound = signature.bind(*args, **keywords).arguments
    except TypeError:  # the call itself raises it
        return (*args, *keywords.values())
    found: list[Any] = []
    for number, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind is parameter.VAR_POSITIONAL:
            found += bound.get(name, ())
        elif parameter.kind is parameter.VAR_KEYWORD:
            found += bound.get(name, {}).values()
        elif name in bound:
            found.append(bound[name])
        elif number < wanted:
            found.append(parameter.default)
    return tuple(found)


def methods_of(model: AnyModel) -> list[str]:
    """The names of the methods that a specification speaks of: a cancel is a request to the task, and no method."""
    actions = model.spec.actions.values()
    return [a.name for a in actions if not a.hidden and a.name not in ("cancel", "uncancel")]


def definer_of(owner: type, name: str) -> type | None:
    """The class that defines the method of another one; None: that has no such method."""
    for each in owner.__mro__[:-1]:
        if name in vars(each):
            found = vars(each)[name]
            return each if callable(found) and not isinstance(found, staticmethod) else None
    return None


def replace_method(undo: ExitStack, owner: type, name: str, make: Callable[[Method], Method]) -> None:
    """Replace a method of a class, which it may inherit, until `undo` is closed.

    Raises:
        SpecError: the class is built in.
    """
    definer = definer_of(owner, name)
    if definer is None:
        return
    method = vars(definer)[name]
    replaced = make(method)
    try:
        setattr(owner, name, replaced)
    except TypeError:
        raise SpecError(
            f"calls of {owner.__name__} cannot be recorded, because it is built in: name a class that derives from it"
        ) from None
    if definer is owner:
        undo.callback(setattr, owner, name, method)
    else:
        undo.callback(delattr, owner, name)


def with_derived(base: type) -> Iterator[type]:
    """A class and all that derive from it, each once or more."""
    yield base
    derived: type
    for derived in base.__subclasses__():
        yield from with_derived(derived)
