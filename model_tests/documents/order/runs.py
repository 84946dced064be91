"""The runs of a pair's program: the one on asyncio, and those of the reference with every order that it may have."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final

import impl
from impl.explore.choices.odometer import Odometer

from ...programs.freedoms import FREE, LOOP, designs
from ...programs.virtual_asyncio import VirtualLoop
from .pair import EventPair

#: The most runs of the reference, of each design; programs with three waiters of a condition or a queue have more.
RUNS: Final = 1000


def on_asyncio(pair: EventPair) -> list[str]:
    """Return the events in the order of this version of asyncio; in real time if only asyncio can run it."""
    seen: list[str] = []
    with asyncio.Runner(loop_factory=None if "asyncio" in pair.marks else VirtualLoop) as runner:
        runner.get_loop().set_exception_handler(lambda loop, what: None)
        runner.run(pair.main(asyncio, seen.append))
    return seen


def in_reference(pair: EventPair, documented: bool = False) -> Iterator[list[str]]:
    """Yield the events of each run of the reference, with all freedoms; those of `documented` rules alone, if asked."""
    for names in designs([*FREE, *LOOP], FREE, documented):
        odometer, left = Odometer(), RUNS
        while left:
            choices, seen = odometer.choices(), list[str]()
            loop = impl.Loop(choices, "any", ready=names.Order(choices.schedule.pick))
            loop.set_exception_handler(lambda loop, what: None)
            loop.run(pair.main(names, seen.append))
            yield seen
            left = left - 1 if odometer.next() else 0
