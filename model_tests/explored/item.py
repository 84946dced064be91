"""A test that is explored: each run of the exploration sets up its fixtures, calls it, and tears them down.

The item's own `setup` and `runtest` are replaced, so it makes no difference which plugin has made it: a test that
pytest-asyncio or anyio's plugin would run is explored all the same.  A failure is repeated before it is reported, so
the captured output and the traceback, also that of `--pdb`, are those of the failing run alone.

A test that `--explore` alone selects, and that cannot be explored, runs as it would without that option.
"""

from __future__ import annotations

import os
import re
import shlex
import warnings
from contextlib import nullcontext
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NoReturn
from unittest import SkipTest

import pytest

from impl.errors import InternalError
from impl.explore import CannotExplore, Found, KeepsState, explore
from impl.explore.module_state.snapshot import ModuleState
from impl.explore.programs.program import UserMain
from impl.explore.programs.quiet_logging import logged
from impl.explore.report.internal import boundary
from impl.explore.report.scenes import scenes_of
from impl.picture import write_page
from impl.sim.token import TokenError

from .cases import run_case
from .fixtures import Fixtures, has_own_loop
from .marker import arguments_of
from .options import EXPLORE, FAILS, MARKER, NOT_EXPLORED, OWN_ORDER, PASSES, PICTURES, REFUSED, REPLAY, TOKEN
from .searches import unsimulated, verdict_of
from .selection import is_case, is_given, is_marked, why_not
from .summary import TableRow
from .tokens import FOLDER, KeptToken, make_folder
from .views import drop_output, shown

# Any in this file: the results of tests, and the arguments of `explore`.


class ExploreWarning(pytest.PytestWarning):
    """Not all schedules of a test were run, although its marker wants all; or a run did not end."""


#: Why a test is not explored that fails in asyncio's own order, with another failure when that run is repeated.
_OTHER_RUN: Final = (
    "it fails, but in another run if the same choices are made once more: it depends on something else, such as "
    "datetime.now() or a file"
)
#: Why a test is not explored that passes in asyncio's own order first, and then fails.
_KEEPS: Final = "it keeps state where loopspec does not see it: the first run passes, and fails when it is made again"


class _NotRepeated(Exception):
    """The failing run of a test was another run when it was repeated."""


#: The attributes of an item that are replaced.
_REPLACED: Final = ("setup", "runtest", "repr_failure")


def explored(item: pytest.Item) -> Explored:
    """Let a test run under many schedules; one that has no marker must be one that can be explored."""
    test = Explored(item)
    if not test.row.reason:
        item.__dict__.update(zip(_REPLACED, (test.set_up, test.run, test.shown), strict=True))
        item.__dict__["_explicit_tearDown"] = None  # which the setup of a case of unittest would do
    return test


class Explored:
    """A test that is explored."""

    def __init__(self, item: Any) -> None:
        self._item = item
        self._marked, self._given = is_marked(item), is_given(item.config)
        #: Whether one run is repeated, that of a token.
        self._replays = False
        self._arguments: dict[str, Any] = {}
        self._fixtures = Fixtures(item)
        self._kept = KeptToken(item.config.rootpath, item.nodeid)
        #: Its row in the summary.
        self.row = TableRow(item.nodeid, PASSES)
        if not self._marked and (reason := why_not(item)):
            self.row = TableRow(item.nodeid, NOT_EXPLORED, reason=reason)
        self._skipped: BaseException | None = None
        #: Whether the first run of the search has passed; None: it has not ended.
        self._first: bool | None = None
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
        if reason := why_not(self._item):
            pytest.fail(f"{MARKER}: {reason}", pytrace=False)
        self._arguments = arguments_of(self._item)
        self._fixtures.prepare()
        backend = self._fixtures.value("anyio_backend")
        if backend is not None:
            self._arguments.setdefault("runtime", backend if isinstance(backend, str) else backend[0])
        elif self._item.get_closest_marker("trio") is not None:  # of pytest-trio
            self._arguments.setdefault("runtime", "trio")

    def run(self) -> None:
        """Explore the test.

        Raises:
            BaseException: the error of the first run that failed, or of the only run of a test that cannot be
                explored, or a skip.
            CannotExplore: it uses something that cannot be simulated.
            pytest.fail.Exception: a probe `sometimes` held in no run.
        """
        with logged() if self._reads_log() else nullcontext():
            self._explore(self.main())

    def _explore(self, main: UserMain) -> None:
        """Search, and let the test end as the searches did."""
        before = ModuleState(main)
        reason, keeps = "", False
        try:
            found = self._searched(main)
            if not self._marked:
                keeps = self._contradicts(found)
                reason = _KEEPS if keeps else unsimulated(found, has_own_loop(self._item))
        except (CannotExplore, KeepsState, ValueError) as error:
            reason, keeps = self._refused(error), isinstance(error, KeepsState)
        finally:
            self._fixtures.abandon()
        if not reason:
            try:
                self._end(found)
                return
            except _NotRepeated:
                reason = _OTHER_RUN
        before.restore()
        has_passed = keeps and self._first  # then the state of that run may be the reason of a failure
        try:
            self._run_as_ever(reason)
        except Exception:
            if not has_passed:
                raise
        if has_passed:
            self._item.__dict__.pop("_excinfo", None)  # the errors of a case of unittest

    def _contradicts(self, found: Found) -> bool:
        """Whether a run fails that has passed before: the first one, in asyncio's own order."""
        return bool(self._first) and not self._arguments.get("seed") and verdict_of(found) == OWN_ORDER

    def _reads_log(self) -> bool:
        """Whether the test may look at the messages that asyncio logs: by caplog, or by a case's assertLogs."""
        return "caplog" in self._item.fixturenames or is_case(self._item.cls)

    def _refused(self, error: Exception) -> str:
        """Why a test cannot be explored that no marker asks for.

        Raises:
            CannotExplore, pytest.fail.Exception, pytest.skip.Exception: a marker or a token asks for it.
        """
        if isinstance(error, CannotExplore):
            if self._marked and self._item.config.getoption(REFUSED) == "skip":
                pytest.skip(str(error))
            if self._marked or error.found.refused is None:
                raise error
            return error.found.refused.sentence()
        if self._marked or isinstance(error, TokenError):
            pytest.fail(f"{MARKER}: {error}", pytrace=False)
        return str(error)

    def _searched(self, main: UserMain) -> Found:
        """Try the kept run; if it does not fail, or there is none, search."""
        token = self._kept.read()
        if token is not None and "token" not in self._arguments:
            only = self._item.config.getoption(REPLAY)
            try:
                found = explore(main, **{**self._arguments, "token": token})
                if found.failure is not None or self._skipped is not None:
                    self._replays = True
                    return found
            except (KeepsState, TypeError, ValueError) as error:
                if only:
                    self._skip(f"its kept run cannot be replayed, so search once more with {EXPLORE}: {error}")
            self._kept.remove()
            if only:
                self._replays = True
                return found
        self._replays = "token" in self._arguments
        self._first = None
        return explore(main, **self._arguments)

    def _skip(self, reason: str) -> NoReturn:
        self.row = TableRow(self._item.nodeid, NOT_EXPLORED, reason=reason)
        pytest.skip(reason)

    def _end(self, found: Found) -> None:
        """Let the test end as the search did; errors as for `run`, and _NotRepeated."""
        self._item.user_properties.append((MARKER, _verdict(found)))
        if found.failure is not None:
            raise _raisable(self._failure(found))
        if self._skipped is not None:
            raise self._skipped
        self.row = self.row._replace(verdict=verdict_of(found), runs=found.runs)
        if self._replays:
            return
        if found.never:
            pytest.fail(f"{MARKER}: never in {_runs(found)}: {'; '.join(found.never)}", pytrace=False)
        if found.unfinished or (self._arguments["every"] and found.verdict != "exhausted"):
            reason = f"{self._item.nodeid}: {_verdict(found)}: {found.reason}"
            warnings.warn(ExploreWarning(reason), stacklevel=1)

    def _run_as_ever(self, reason: str) -> None:
        """Run a test that cannot be explored as it would run without this plugin; `reason` goes to the summary."""
        self.row = TableRow(self._item.nodeid, NOT_EXPLORED, reason=reason.splitlines()[0])
        self._fixtures.begin()
        for name in _REPLACED:
            del self._item.__dict__[name]
        self._item.setup()
        self._item.runtest()

    def main(self) -> UserMain:
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
            if is_case(self._item.cls):
                await run_case(self._item.instance, self._item.obj)
            else:
                await self._item.obj(**arguments)
        except GeneratorExit:
            raise  # the run is abandoned: nothing can be awaited
        except (pytest.skip.Exception, SkipTest) as skipped:
            self._skipped = skipped
        except BaseException as raised:
            error = raised
        later = await fixtures.tear_down()
        if self._first is None:
            self._first = error is None and not later and self._skipped is None
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

        Raises:
            _NotRepeated: the run needs no other order than asyncio's, and may differ from a run as ever, too.
        """
        assert found.failure is not None
        if "token" in self._arguments:
            token = self._arguments["token"]
            line = f"replay: {self._replay(token)}"
            self._report = f"{found.failure.outcome}\n{line}\n{_verdict(found)}: {found.bound}"
            self.row = self.row._replace(verdict=FAILS, runs=1, token=token)
            self._draw(found)
            return found.failure.error
        try:
            with boundary():
                self._report = found.report(self._replay, output=False)
            self._judge(found)
            self._draw(found)
            drop_output(self._item.config)
            simplest = {"token": found.failure.simple.token, "every": False, "runs": None}
            again = explore(self.main(), **{**self._arguments, **simplest})
        except (CannotExplore, KeepsState, TokenError) as error:
            if self.row.verdict == OWN_ORDER and not self._marked:
                self._report = ""
                self._kept.remove()
                raise _NotRepeated from None
            self._report += f"\nnot repeated: {error}"
            if self.row.verdict == PASSES:  # it was not judged before
                self.row = self.row._replace(verdict=FAILS, runs=found.runs, token=found.failure.token)
            return found.failure.error
        finally:
            self._fixtures.abandon()
        failure = again.failure or found.failure
        self._said = failure.outcome
        return failure.error

    def _judge(self, found: Found) -> None:
        """Note the verdict of a failure, and keep its run for the next session."""
        assert found.failure is not None
        verdict, token = verdict_of(found), found.failure.simple.token
        self.row = self.row._replace(verdict=verdict, runs=found.runs, token=token)
        if self._given:
            self._report += f"\nverdict: {verdict}"
        try:
            self._kept.write(token)
        except OSError as error:
            warnings.warn(ExploreWarning(f"the failing run is not kept: {error}"), stacklevel=1)

    def _replay(self, token: str) -> str:
        """The line that repeats the run of a token."""
        file = os.path.relpath(self._item.path, self._item.config.invocation_params.dir)
        node = "::".join([file, *self._item.nodeid.split("::")[1:]])
        words = [shlex.quote(node), *([] if self._marked else [EXPLORE]), TOKEN, token]
        return f"pytest {' '.join(words)}"

    def _draw(self, found: Found) -> None:
        """Write the picture of the failure, if pictures are wanted: `--explore` keeps them beside the tokens."""
        config = self._item.config
        given = config.getoption(PICTURES)
        if (given is None and (not self._given or "token" in self._arguments)) or found.failure is None:
            return
        node = self._item.nodeid
        short = sha256(node.encode()).hexdigest()[:8]  # two names may look alike
        name = f"{re.sub('[^A-Za-z0-9_.-]+', '_', node)}-{short}.html"
        try:
            if given is None:
                make_folder(config.rootpath / FOLDER)
            file = Path(os.path.relpath(config.rootpath / FOLDER) if given is None else given) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            write_page(file, *scenes_of(found.failure.simple))
            self._report += f"\npicture: {file}"
        except OSError as error:
            self._report += f"\n{PICTURES}: no picture is written: {error}"

    def shown(self, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
        """The error as pytest shows it."""
        return shown(self._item, excinfo, self._said)

    def add_to(self, report: pytest.TestReport, raised: pytest.ExceptionInfo[BaseException] | None) -> None:
        """Add the finding and the row to the report of the test; mark it, if the error says nothing about the test."""
        if raised is None or self.row.verdict != PASSES:
            self.row.add_to(report)
        if raised is not None and isinstance(raised.value, CannotExplore | InternalError):
            vars(report)[MARKER] = "error"
        if self._report:
            report.sections.append((MARKER, self._report))


def _raisable(error: BaseException) -> BaseException:
    """The error of a test; at a KeyboardInterrupt, here an outcome of the test, pytest would end the session."""
    if not isinstance(error, KeyboardInterrupt):
        return error
    return pytest.fail.Exception(f"{MARKER}: KeyboardInterrupt, by a signal that the test sends itself", pytrace=False)


def _verdict(found: Found) -> str:
    return f"{found.verdict} ({', '.join(filter(None, [_runs(found), found.processes]))})"


def _runs(found: Found) -> str:
    return f"{found.runs} run{'s' * (found.runs != 1)}"
