"""The fixtures of one run of an explored test: set up within its loop, torn down there, made anew for the next run.

pytest sets fixtures up and tears them down in plain functions, so an asynchronous fixture needs a plugin that drives a
loop meanwhile.  Here all of a test runs in one coroutine, on a loop that an exploration drives.  An asynchronous
fixture that is requested therefore interrupts the set-up (`_Awaited`): the coroutine awaits it, and repeats the
set-up, which finds the fixtures that are done in pytest's cache.  During a set-up, `pytest_fixture_setup` here is the
outermost wrapper of that hook and shows the other plugins a plain function, so the fixtures of anyio's plugin and of
pytest-asyncio are set up in the same way as those of neither.

Fixtures of a wider scope than function stay from run to run, so they are set up before, outside of any loop; an
asynchronous one would belong to the loop of one run and is refused (selection.py).

This file uses private names of pytest 8.4 to 9.2: `Function._initrequest` and `_request`, the finalizers in
`SetupState.stack`, `FixtureDef._finalizers`, `FuncFixtureInfo`, `Stash._storage`, `Session._fixturemanager`,
`caplog_handler_key`, `caplog_records_key`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from inspect import isasyncgenfunction, iscoroutinefunction
from types import AsyncGeneratorType
from typing import Any, Final, TypeAlias

import pytest
from _pytest.fixtures import resolve_fixture_function
from _pytest.logging import caplog_handler_key, caplog_records_key

from impl.errors import Refusal

from .mocks import PatchMocks

# Any in this file: the values of fixtures, and the values that their coroutines yield to the loop.
FixtureDef: TypeAlias = pytest.FixtureDef[Any]
#: An asynchronous fixture that has yielded its value.
Yielded: TypeAlias = AsyncGeneratorType[Any, None]


#: How the names of the fixtures end with which pytest-asyncio makes a loop.
_LOOP_OF_ITS_OWN: Final = "_scoped_runner"


class _Awaited(BaseException):
    """Interrupts a set-up: this fixture has to be awaited.  No Exception, so that pytest does not cache it."""

    def __init__(self, fixture: FixtureDef, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
        self.fixture, self.function, self.arguments = fixture, function, arguments


def is_async(fixture: FixtureDef) -> bool:
    """Whether it is a coroutine function or an asynchronous generator."""
    return isasyncgenfunction(fixture.func) or iscoroutinefunction(fixture.func)


def wide_async(item: pytest.Function) -> FixtureDef | None:
    """An asynchronous fixture of a test with a wider scope than function; None: there is none."""
    return next(filter(is_async, _wide(item)), None)


def _wide(item: pytest.Function) -> list[FixtureDef]:
    """The fixtures of a test with a wider scope than function."""
    found = (definition(item, name) for name in item.fixturenames)
    return [fixture for fixture in found if fixture is not None and fixture.scope != "function"]


def definition(item: pytest.Function, name: str) -> FixtureDef | None:
    """The fixture of a name that a test requests; None: it requests none."""
    found = item._fixtureinfo.name2fixturedefs.get(name)
    return found[-1] if found else None


def has_own_loop(item: pytest.Function) -> bool:
    """Whether the suite chooses its event loops, by the hook or the fixture of pytest-asyncio."""
    hook = getattr(item.ihook, "pytest_asyncio_loop_factories", None)
    if hook is not None and hook.get_hookimpls():
        return True
    found = item.session._fixturemanager.getfixturedefs("event_loop_policy", item)
    return found is not None and found[-1].func.__module__ != "pytest_asyncio.plugin"


class Fixtures:
    """The fixtures of an explored test.

    Call `prepare` once; in each run `begin`, then await `set_up` and `tear_down`; and `abandon` after it.
    """

    def __init__(self, item: pytest.Function) -> None:
        self.item = item
        # The tests of one function share the list, and pytest-asyncio adds the fixture of its loop when one runs.
        item.fixturenames = [name for name in item.fixturenames if not name.endswith(_LOOP_OF_ITS_OWN)]
        self._mocks = PatchMocks(item.obj)
        #: The asynchronous fixtures of this run that were awaited: their values, and their generators.
        self._values: dict[FixtureDef, tuple[Any, Yielded | None]] = {}
        #: Generators of fixtures that are to be finished next.
        self._finished: list[Yielded] = []
        self._kept: int | None = None
        self._stash: dict[Any, object] = {}
        self._properties: list[tuple[str, object]] = []

    # --- before the first run --------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Set up the fixtures of a wider scope than function; none of them is asynchronous."""
        for fixture in _wide(self.item):
            self.item._request.getfixturevalue(fixture.argname)

    def value(self, name: str) -> Any:
        """The value of a fixture that the test requests, or None; a plain fixture is set up for it now."""
        fixture = definition(self.item, name)
        return None if fixture is None or is_async(fixture) else self.item._request.getfixturevalue(name)

    # --- in each run -----------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin a run: a new request, a new instance of the test's class, and the mocks of its patches as at first."""
        item = self.item
        if self._kept is None:
            self._kept, self._stash = len(self._finalizers), dict(item.stash._storage)
            self._properties = list(item.user_properties)
        self.abandon()
        self._mocks.restore()
        item.user_properties[:] = self._properties  # record_property adds to them
        if (logs := item.stash.get(caplog_handler_key, None)) is not None:
            logs.clear()  # of the run before; caplog reads them
        item.stash._storage.update(self._stash)  # the teardown of tmp_path takes something away
        item._initrequest()
        for name in ("_instance", "_obj"):
            item.__dict__.pop(name, None)
        self._values.clear()

    @property
    def _finalizers(self) -> list[Callable[[], object]]:
        """The functions that pytest calls when the test is torn down; the last is called first."""
        return self.item.session._setupstate.stack[self.item][0]

    async def set_up(self) -> dict[str, Any]:
        """Set up all fixtures; returns the arguments of the test.

        Raises:
            BaseException: the error of a fixture.
        """
        item = self.item
        plugins = item.config.pluginmanager
        while True:
            plugins.register(self)
            try:
                item._request._fillfixtures()
                break
            except _Awaited as awaited:
                wanted = awaited
            finally:
                plugins.unregister(self)
            self._values[wanted.fixture] = await self._awaited(wanted)
        if (logs := item.stash.get(caplog_handler_key, None)) is not None:
            item.stash[caplog_records_key]["setup"] = logs.records.copy()
            logs.clear()  # caplog shows a test its own records only
        return {name: item.funcargs[name] for name in item._fixtureinfo.argnames}

    async def _awaited(self, wanted: _Awaited) -> tuple[Any, Yielded | None]:
        made = wanted.function(**wanted.arguments)
        if isasyncgenfunction(wanted.function):
            return await anext(made), made
        return await made, None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: FixtureDef, request: pytest.FixtureRequest) -> Generator[None, Any, Any]:
        """Show the other plugins a plain function in the place of an asynchronous one."""
        if not is_async(fixturedef):
            try:
                return (yield)
            except _Awaited as awaited:
                fixturedef._finalizers.clear()
                name = awaited.fixture.argname
                raise Refusal(
                    f"request.getfixturevalue of the asynchronous fixture {name!r}",
                    f"{name!r} as a parameter of {fixturedef.argname!r}",
                ) from None
        original = fixturedef.func
        function = resolve_fixture_function(fixturedef, request)

        def value(**arguments: Any) -> Any:
            if fixturedef not in self._values:
                raise _Awaited(fixturedef, function, arguments)
            awaited, made = self._values[fixturedef]
            if made is not None:
                fixturedef.addfinalizer(lambda: self._finished.append(made))
            return awaited

        # `func` and `argnames` are final for type checkers only; `argnames` was computed from the original.
        fixturedef.__dict__["func"] = value
        try:
            return (yield)
        except _Awaited:
            fixturedef._finalizers.clear()  # it is requested once more, which adds them
            raise
        finally:
            fixturedef.__dict__["func"] = original

    async def tear_down(self) -> list[BaseException]:
        """Tear down the fixtures of this run, the last first; returns their errors."""
        errors: list[BaseException] = []
        while len(self._finalizers) > (self._kept or 0):
            self._finish(errors)
            while self._finished:
                fixture = self._finished.pop(0)
                try:
                    await anext(fixture)
                except StopAsyncIteration:
                    continue
                except Exception as error:
                    errors.append(error)
                    continue
                errors.append(RuntimeError(f"the asynchronous fixture {fixture.ag_code.co_name} yields more than once"))
                await fixture.aclose()
        return errors

    def _finish(self, errors: list[BaseException]) -> None:
        try:
            self._finalizers.pop()()
        except Exception as error:
            errors.append(error)

    def abandon(self) -> None:
        """Tear down the fixtures of a run that did not end; asynchronous fixtures get no chance to."""
        errors: list[BaseException] = []
        while len(self._finalizers) > (self._kept or 0):
            self._finish(errors)
        self._finished.clear()
