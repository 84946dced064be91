"""The garbage of programs: coroutines above all, which are collected before any other code can see them."""

import gc
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from impl.sim.garbage import frozen


@contextmanager
def left_behind() -> Iterator[None]:
    """Collect the garbage of programs, coroutines above all, without warnings, and before any other code can see
    it.

    As programs collect garbage too, objects that exist already are frozen meanwhile.  The garbage is collected when
    they no longer are, as more may be frozen meanwhile (`kit.py`).
    """
    gc.collect()
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with frozen():
                yield
            gc.collect()
    finally:
        sys.unraisablehook = hook
