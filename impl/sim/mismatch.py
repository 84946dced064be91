"""The reason why a run is not the one that its token stands for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from .set_order import first_iteration


def reason(digests: tuple[bytes, str], again: Callable[[], Any] | None) -> str:
    """The reason, as a part of a sentence.

    Parameters:
        digests: of the choices and of the events of the run.
        again: makes the run of the token once more.  Any: it is a Run.
    """
    if again is not None:
        with redirect_stdout(StringIO()):
            other, place = first_iteration(again)
        if place:
            return f"the program iterates over a set of objects in order of their addresses ({place})"
        if (other.choices.digest(), other.digest) != digests:
            return "made once more, it is another run again: the program depends on more than its choices"
    fixed = None if sys.flags.ignore_environment else os.environ.get("PYTHONHASHSEED")
    if fixed not in (None, "", "random"):
        hashes = f"its sets of strings have another order: PYTHONHASHSEED is {fixed} in this process"
    else:
        hashes = "its sets of strings have another order, as in each process: then set PYTHONHASHSEED"
    return f"the program has changed since, or {hashes}"
