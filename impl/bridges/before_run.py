"""A command or a function that is called before each run of a program: it resets the state of real servers."""

from __future__ import annotations

import random
import shlex
import subprocess
from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import TypeAlias

BeforeRun: TypeAlias = str | Callable[[], object]


class BeforeRunFailed(ValueError):
    """The command or the function that is called before each run has failed."""


def check_before_run(what: object) -> None:
    """Raises TypeError: it is neither None, nor a command, nor a function that can be called."""
    if iscoroutinefunction(what):
        raise TypeError(f"before_run is the coroutine function {what.__name__}: pass a function that runs it")
    if not (what is None or isinstance(what, str) or callable(what)):
        raise TypeError(f"before_run is {what!r}: it must be a command, or a function")


def call_before_run(what: BeforeRun | None) -> None:
    """Run the command or call the function, which leaves the module random as it is.

    Raises:
        BeforeRunFailed: it has failed.
    """
    if what is None:
        return
    state = random.getstate()
    try:
        if callable(what):
            what()
        else:
            subprocess.run(shlex.split(what), check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        last = (error.stderr or error.stdout).strip().rpartition("\n")[2]
        raise BeforeRunFailed(f"before_run: {what} ended with status {error.returncode}: {last}") from None
    except Exception as error:
        raise BeforeRunFailed(f"before_run: {what} failed: {type(error).__name__}: {error}") from error
    finally:
        random.setstate(state)
