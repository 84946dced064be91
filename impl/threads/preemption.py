"""Preemption: whether an access of shared state is a point of a thread, in a program that was rewritten for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..sim.inject import Injection
from ..sim.token import TokenError

_rewritten: list[None] = []


@contextmanager
def rewritten() -> Iterator[None]:
    """Within the block, the program has such points."""
    _rewritten.append(None)
    try:
        yield
    finally:
        _rewritten.pop()


def check_preemption(inject: Injection) -> None:
    """Raise TokenError if a run needs such points, and the program has none."""
    if inject.preempt and not _rewritten:
        raise TokenError("the token is of a run with --preempt: loopspec explore repeats it")
