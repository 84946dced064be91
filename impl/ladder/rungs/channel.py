"""Teaching code: rung 7, continued: `yield from` is a channel between two generators (rung 10 relies on it).

Teaches: each function below demonstrates one sentence of the text about `yield from`.  Values and errors pass through
the outer generator in both directions.
Changed against `facts.py`: a generator can be made of others, as a function is made of functions.

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Factoring Coroutines With yield from"; PEP 380.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from .facts import value_of


def inner() -> Generator[str, str, str]:
    """Yields each value that is sent and each error that is thrown in, until "end" is sent."""
    got = "nothing yet"
    while got != "end":
        try:
            got = yield f"inner got {got}"
        except ValueError as error:
            got = f"the error {error}"
    return "what inner returns"


def outer() -> Generator[str, str, str]:
    """Suspended wherever `inner` is."""
    return "outer has " + (yield from inner())


def yield_from_is_a_channel() -> list[str]:
    """Values and errors for `outer` reach `inner`; the values of `inner` come out of `outer`, and its result too."""
    gen = outer()
    return [next(gen), gen.send("hello"), gen.throw(ValueError("one")), value_of(gen, "end")]


def an_error_comes_up_the_channel() -> str:
    """An error of the inner generator is raised at the `yield from` of the outer one, where a `try` can catch it."""

    def failing() -> Generator[None, None, None]:
        yield
        raise ValueError("of the inner one")

    def catching() -> Generator[None, None, str]:
        try:
            yield from failing()
        except ValueError as error:
            return f"caught the error {error}"
        raise AssertionError("the inner one raises")

    gen = catching()
    next(gen)
    return value_of(gen)


def the_caller_stays_where_it_is() -> tuple[bool, bool]:
    """Whether `outer` stays at its `yield from` while `inner` runs, and whether its `gi_yieldfrom` is `inner`."""
    gen: Any = outer()  # Any: the type Generator has no frame
    next(gen)
    place, waits_for = gen.gi_frame.f_lasti, gen.gi_yieldfrom
    gen.send("hello")
    return gen.gi_frame.f_lasti == place, waits_for.gi_code is inner.__code__
