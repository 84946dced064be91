"""Examples of Hypothesis that do not depend on the modules that are loaded.

`derandomize` makes the seed a function of the test.  But Hypothesis also draws the constants that it finds in the
modules loaded so far, those outside site-packages, so a test has other examples alone than after other tests, and in a
checkout than in an installation.  No setting turns that off.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

#: The function of Hypothesis that collects them.
COLLECTS = "_get_local_constants"


@contextmanager
def repeatable() -> Iterator[None]:
    """Within, Hypothesis collects no constants.  A version without `COLLECTS` is left as it is."""
    if not hasattr(providers, COLLECTS):
        yield
        return
    collects = getattr(providers, COLLECTS)
    _set(lambda: Constants())
    try:
        yield
    finally:
        _set(collects)


def _set(collects: object) -> None:
    setattr(providers, COLLECTS, collects)
    providers.CONSTANTS_CACHE.cache.clear()  # it has the constants that the other one collected
