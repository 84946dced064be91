"""A test with the marker `explore`: each run of the exploration sets up its fixtures, calls it, and tears them down.

The item's own `setup` and `runtest` are replaced, so it makes no difference which plugin has made it: a test that
pytest-asyncio or anyio's plugin would run is explored all the same.  A failure is repeated before it is reported, so
the captured output and the traceback, also that of `--pdb`, are those of the failing run alone.
"""

from __future__ import annotations

import os
import re
import shlex
import warnings
from collections.abc import Callable, Coroutine
from functools import wraps
from hashlib import sha256
from inspect import iscoroutinefunction
from pathlib import Path
from traceback import format_exception
from typing import Any, Final

import pytest

from impl.errors import InternalError
from impl.explore import CannotExplore, Found, KeepsState, explore
from impl.explore.report.internal import boundary
from impl.explore.report.scenes import scenes_of
from impl.picture import write_page
from impl.sim.frames import is_installed, is_library
from impl.sim.outcome import outcome_of
from impl.sim.token import TokenError

from .fixtures import Fixtures
from .marker import arguments_of
from .options import MARKER, PICTURES, REFUSED, TOKEN

# Any in this file: the results of tests, and the arguments of `explore`.

_HERE: Final = str(Path(__file__).parent)


class ExploreWarning(pytest.PytestWarning):
    """Not all schedules of a test were run, although its marker wants all; or a run did not end."""


def explored(item: pytest.Item) -> Explored:
    """Let a marked test run under many schedules."""
    test = Explored(item)
    item.__dict__.update(setup=test.set_up, runtest=test.run, repr_failure=test.shown)
    return test


class Explored:
    """A test that is explored."""

    def __init__(self, item: Any) -> None:
        self._item = item
        self._arguments: dict[str, Any] = {}
        self._fixtures = Fixtures(item)
        self._skipped: BaseException | None = None
        #: The result of the search, if the test has failed.
        self._report = ""
        #: The text of the error that is raised, as it was when the test failed.
        self._said = ""

    # --- in the place of the item's methods ------------------------------------------------------------------

    def set_up(self) -> None:
        """Check the marker, and set up the fixtures that all runs share.

        Raises:
            pytest.fail.Exception: the marker or a fixture does not fit.
        """
        wrapped = hasattr(self._item.obj, "hypothesis")
        if wrapped or not iscoroutinefunction(self._item.obj):
            other = "; with Hypothesis, use model_tests.explored.schedules()" * wrapped
            pytest.fail(f"{MARKER}: the marker is for asynchronous test functions{other}", pytrace=False)
        self._arguments = arguments_of(self._item)
        self._fixtures.prepare()
        backend = self._fixtures.value("anyio_backend")
        if backend is not None:
            self._arguments.setdefault("runtime", backend if isinstance(backend, str) else backend[0])

    def run(self) -> None:
        """Explore the test.

        Raises:
            BaseException: the error of the first run that failed, or a skip.
            CannotExplore: it uses something that cannot be simulated.
            pytest.fail.Exception: a probe `sometimes` held in no run.
        """
        try:
            found = explore(self.main(), **self._arguments)
        except CannotExplore as refused:
            if self._item.config.getoption(REFUSED) == "skip":
                pytest.skip(str(refused))
            raise
        except (KeepsState, TokenError, ValueError) as error:
            pytest.fail(f"{MARKER}: {error}", pytrace=False)
        finally:
            self._fixtures.abandon()
        self._item.user_properties.append((MARKER, _verdict(found)))
        if self._skipped is not None:
            raise self._skipped
        if found.failure is not None:
            raise self._failure(found)
        if found.never and "token" not in self._arguments:
            pytest.fail(f"{MARKER}: never in {_runs(found)}: {'; '.join(found.never)}", pytrace=False)
        if found.unfinished or (self._arguments["every"] and found.verdict != "exhausted"):
            reason = f"{self._item.nodeid}: {_verdict(found)}: {found.reason}"
            if "token" not in self._arguments:
                warnings.warn(ExploreWarning(reason), stacklevel=1)

    def main(self) -> Callable[[], Coroutine[Any, Any, None]]:
        """The program that is explored, which has the name of the test."""

        @wraps(self._item.obj)
        async def test() -> None:
            await self.test()

        return test

    async def test(self) -> None:
        """Run the test once, with fixtures of its own."""
        fixtures = self._fixtures
        fixtures.begin()
        error: BaseException | None = None
        try:
            arguments = await fixtures.set_up()
            await self._item.obj(**arguments)
        except GeneratorExit:
            raise  # the run is abandoned: nothing can be awaited
        except pytest.skip.Exception as skipped:
            self._skipped = skipped
        except BaseException as raised:
            error = raised
        later = await fixtures.tear_down()
        if error is None and len(later) == 1:
            raise later[0]
        if error is None and later:
            raise BaseExceptionGroup("errors while the fixtures were torn down", later)
        if error is not None:
            for each in later:
                error.add_note(f"and while the fixtures were torn down: {each!r}")
            raise error

    # --- a failure -------------------------------------------------------------------------------------------

    def _failure(self, found: Found) -> BaseException:
        """Make the simplest run that fails again, by itself; returns its error.

        The run of a token is the only one, so that a debugger stops in it and in no other.
        """
        assert found.failure is not None
        file = os.path.relpath(self._item.path, self._item.config.invocation_params.dir)
        node = "::".join([file, *self._item.nodeid.split("::")[1:]])
        if "token" in self._arguments:
            token = self._arguments["token"]
            self._report = f"{found.failure.outcome}\nreplay: {_replay(node, token)}\n{_verdict(found)}: {found.bound}"
            self._draw(found)
            return found.failure.error
        try:
            with boundary():
                self._report = found.report(lambda token: _replay(node, token))
            self._draw(found)
            _drop_output(self._item.config)
            simplest = {"token": found.failure.simple.token, "every": False, "runs": None}
            again = explore(self.main(), **{**self._arguments, **simplest})
        except (KeepsState, TokenError) as error:
            self._report += f"\nnot repeated: {error}"
            return found.failure.error
        finally:
            self._fixtures.abandon()
        failure = again.failure or found.failure
        self._said = failure.outcome
        return failure.error

    def _draw(self, found: Found) -> None:
        """Write the picture of the failure, if pictures are wanted."""
        folder = self._item.config.getoption(PICTURES)
        if folder is None or found.failure is None:
            return
        node = self._item.nodeid
        short = sha256(node.encode()).hexdigest()[:8]  # two names may look alike
        name = f"{re.sub('[^A-Za-z0-9_.-]+', '_', node)}-{short}.html"
        file = Path(folder) / name
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_page(file, *scenes_of(found.failure.simple))
            self._report += f"\npicture: {file}"
        except OSError as error:
            self._report += f"\n{PICTURES}: no picture is written: {error}"

    def shown(self, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
        """The error as pytest shows it, from the first line of the program on; without such a line its text alone."""
        if self._item.config.getoption("fulltrace"):
            return type(self._item).repr_failure(self._item, excinfo)
        if isinstance(excinfo.value, CannotExplore):
            return f"{MARKER}: {excinfo.value}"
        if isinstance(excinfo.value, InternalError):
            trace = "".join(format_exception(excinfo.value))
            return f"{MARKER}: an error inside loopspec, not of your test; please report it\n{trace}"
        lines = excinfo.traceback.filter(lambda entry: _is_program(str(entry.path)))
        if not lines:
            return excinfo.exconly()
        self._item.__dict__["_traceback_filter"] = lambda _: lines
        shown = type(self._item).repr_failure(self._item, excinfo)
        return _as_it_was(shown, outcome_of(None, excinfo.value), self._said)

    def add_to(self, report: pytest.TestReport, raised: pytest.ExceptionInfo[BaseException] | None) -> None:
        """Add the finding to the report of the test; mark it, if the error says nothing about the test."""
        if raised is not None and isinstance(raised.value, CannotExplore | InternalError):
            vars(report)[MARKER] = "error"
        if self._report:
            report.sections.append((MARKER, self._report))


def _as_it_was(shown: Any, now: str, then: str) -> Any:
    """Pytest's view of an error, with its text as it was: values in it may have changed since."""
    if then and hasattr(shown, "reprtraceback"):
        shown.reprcrash.message = shown.reprcrash.message.replace(now, then)
        for entry in shown.reprtraceback.reprentries:
            entry.lines[:] = [line.replace(now, then) if line[:1] == "E" else line for line in entry.lines]
    return shown


def _replay(node: str, token: str) -> str:
    """The line that repeats the run of a token."""
    return f"pytest {shlex.quote(node)} {TOKEN} {token}"


def _is_program(file: str) -> bool:
    return not is_library(file) and not is_installed(file) and not file.startswith(_HERE)


def _verdict(found: Found) -> str:
    return f"{found.verdict} ({', '.join(filter(None, [_runs(found), found.threads]))})"


def _runs(found: Found) -> str:
    return f"{found.runs} run{'s' * (found.runs != 1)}"


def _drop_output(config: pytest.Config) -> None:
    """Forget the output and the log of the runs before."""
    capture, logs = (config.pluginmanager.getplugin(name) for name in ("capturemanager", "logging-plugin"))
    if capture is not None and capture.is_globally_capturing():
        capture.read_global_capture()
    for name in ("caplog_handler", "report_handler"):
        handler = getattr(logs, name, None)
        if handler is not None:
            handler.reset()
