"""How pytest shows the failure of an explored test: its error, and the output of the run that failed."""

from pathlib import Path
from traceback import format_exception
from typing import Any, Final

import pytest

from impl.errors import InternalError
from impl.explore import CannotExplore
from impl.sim.frames import is_users
from impl.sim.outcome import outcome_of

from .options import MARKER

# Any in this file: pytest's views of errors, and items of any plugin.

_HERE: Final = str(Path(__file__).parent)


def shown(item: Any, excinfo: pytest.ExceptionInfo[BaseException], said: str) -> Any:
    """The error as pytest shows it, from the first line of the program on; without such a line its text alone.

    Parameters:
        said: the text of the error when the test failed.
    """
    if item.config.getoption("fulltrace"):
        return type(item).repr_failure(item, excinfo)
    if isinstance(excinfo.value, CannotExplore):
        return f"{MARKER}: {excinfo.value}"
    if isinstance(excinfo.value, InternalError):
        trace = "".join(format_exception(excinfo.value))
        return f"{MARKER}: an error inside loopspec, not of your test; please report it\n{trace}"
    lines = excinfo.traceback.filter(lambda entry: _is_program(str(entry.path)))
    if not lines:
        return excinfo.exconly()
    item.__dict__["_traceback_filter"] = lambda _: lines
    view = type(item).repr_failure(item, excinfo)
    return _as_it_was(view, outcome_of(None, excinfo.value), said)


def _as_it_was(view: Any, now: str, then: str) -> Any:
    """Pytest's view of an error, with its text as it was: values in it may have changed since."""
    if then and hasattr(view, "reprtraceback"):
        view.reprcrash.message = view.reprcrash.message.replace(now, then)
        for entry in view.reprtraceback.reprentries:
            entry.lines[:] = [line.replace(now, then) if line[:1] == "E" else line for line in entry.lines]
    return view


def _is_program(file: str) -> bool:
    return is_users(file) and not file.startswith(_HERE)


def drop_output(config: pytest.Config) -> None:
    """Forget the output and the log of the runs before."""
    capture, logs = (config.pluginmanager.getplugin(name) for name in ("capturemanager", "logging-plugin"))
    if capture is not None and capture.is_globally_capturing():
        capture.read_global_capture()
    for name in ("caplog_handler", "report_handler"):
        handler = getattr(logs, name, None)
        if handler is not None:
            handler.reset()
