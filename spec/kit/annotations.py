"""The annotations of functions that the kit makes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any


def annotate(fn: Callable[..., Any], types: Mapping[str, Any]) -> None:
    """Give a function annotations, which `functools.wraps` hands on: since 3.14 it does so with `__annotate__` only."""
    fn.__annotations__ = dict(types)
    if sys.version_info >= (3, 14):
        fn.__annotate__ = lambda format: dict(types)
