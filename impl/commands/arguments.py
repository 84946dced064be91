"""Checks of the arguments of `explore` and its like, before anything runs: each error names the argument."""

from __future__ import annotations

import inspect
from collections.abc import Sequence


def check_kind(name: str, value: object, kind: type | tuple[type, ...], noun: str) -> None:
    """Raise TypeError if an argument is of another type.

    Parameters:
        noun: the type in words, such as `a whole number`.
    """
    if not isinstance(value, kind):
        raise TypeError(f"{name} is {value!r}: it must be {noun}")


def check_whole(name: str, value: object, least: int, most: int | None = None) -> None:
    """Raise TypeError if an argument is no whole number, and ValueError if that is out of range."""
    check_kind(name, value, int, "a whole number")
    assert isinstance(value, int)
    if value < least or (most is not None and value > most):
        wanted = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} is {value}: it must be {wanted}")


def check_names(name: str, value: object, kinds: tuple[type, ...] = (str,)) -> None:
    """Raise TypeError if an argument is neither None, nor a text, nor a sequence of names."""
    texts = value is None or isinstance(value, str)
    if not texts and not (isinstance(value, Sequence) and all(isinstance(each, kinds) for each in value)):
        raise TypeError(f"{name} is {value!r}: it must be a text, or a sequence of names")


def check_main(main: object) -> None:
    """Raise TypeError if a program is no function that can be called without arguments, once for each run."""
    if inspect.iscoroutine(main):
        name = main.__qualname__
        main.close()
        raise TypeError(f"main is the coroutine {name}(): pass the function {name}, which each run calls")
    if not callable(main):
        raise TypeError(f"main is {main!r}: it must be a function that returns a coroutine")
    try:
        signature = inspect.signature(main, follow_wrapped=False)  # the wrapper is called
    except ValueError:  # it is built in, and does not say
        return
    try:
        signature.bind()
    except TypeError as error:
        raise TypeError(
            f"main is called without arguments, and {getattr(main, '__qualname__', repr(main))}{signature} needs some:"
            " pass a function that needs none"
        ) from error
