"""Teaching code: rung 7, continued: what rung 10 relies on, `yield from` as a channel between two generators.

What it teaches: every function below does what one sentence of the text says about `yield from`, and returns what it
saw.  Values and errors pass through the outer generator both ways, as if it were not there.
What changed against `facts.py`: a generator may now be made of others, as a function is made of functions.

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Factoring Coroutines With yield from"; PEP 380.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from .facts import value_of


def inner() -> Generator[str, str, str]:
    """Yields what it gets, errors too, until it gets "end"."""
    got = "nothing yet"
    while got != "end":
        try:
            got = yield f"inner got {got}"
        except ValueError as error:
            got = f"the error {error}"
    return "what inner returns"


def outer() -> Generator[str, str, str]:
    """Is suspended wherever `inner` is."""
    return "outer has " + (yield from inner())


def yield_from_is_a_channel() -> list[str]:
    """What is sent or thrown into `outer` arrives in `inner`, what `inner` yields comes out of `outer`; and the end."""
    gen = outer()
    return [
        next(gen),
        gen.send("hello"),
        gen.throw(ValueError("one")),
        value_of(gen, "end"),
    ]


def an_error_comes_up_the_channel() -> str:
    """An error in the inner generator is raised at the outer one's `yield from`, where a `try` can catch it."""

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
    """While `inner` goes on, does `outer` stay at its `yield from`?  And is `inner` what it says it waits for?"""
    gen: Any = outer()  # Any: the type Generator does not tell of the frame
    next(gen)
    place, waits_for = gen.gi_frame.f_lasti, gen.gi_yieldfrom
    gen.send("hello")
    return gen.gi_frame.f_lasti == place, waits_for.gi_code is inner.__code__
