"""Exceptions never retrieved, tasks never ended, and the context of the handler that gets their reports."""

import gc
from contextvars import ContextVar

import pytest

import impl

from .conftest import Context, after, fails


def failed(loop: impl.Loop) -> impl.Future[None]:
    future: impl.Future[None] = impl.Future(loop)
    future.set_exception(ValueError("unasked"))
    return future


@pytest.mark.parametrize("task", [False, True])
async def test_what_failed_is_reported_once_when_it_is_dropped(
    loop: impl.Loop, reports: list[Context], task: bool
) -> None:
    """FUT-9: the loop does not refer to it, so no collector has to find it."""
    future = impl.create_task(fails(ValueError("unasked")), name="forgotten") if task else failed(loop)
    await impl.sleep(0)
    assert reports == []
    del future
    [report] = reports
    gc.collect()
    assert len(reports) == 1
    assert report["message"] == ("Task 'forgotten'" if task else "Future") + " exception was never retrieved"
    assert report["exception"].args == ("unasked",)


@pytest.mark.parametrize("task", [False, True])
async def test_a_cancel_that_comes_too_late_silences_it(loop: impl.Loop, reports: list[Context], task: bool) -> None:
    """CPython's C and Python futures, and its tests, take it so."""
    future = loop.create_task(fails(ValueError("unasked"))) if task else failed(loop)
    await impl.sleep(0)
    assert not future.cancel()
    del future
    gc.collect()
    assert reports == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ended_the_loop_is_not_reported_too(
    loop: impl.Loop, reports: list[Context], error: type[BaseException]
) -> None:
    """TASK-13."""
    with pytest.raises(error):
        loop.run(fails(error()))
    gc.collect()
    assert reports == []


def test_no_failure_no_finalizer() -> None:
    """Futures and tasks have no finalizer; only a stored exception has one."""
    assert not [kind for kind in (impl.Future, impl.Task) if hasattr(kind, "__del__")]


@pytest.mark.parametrize("closed", [False, True])
def test_a_loop_that_is_dropped_unclosed_tells_of_its_tasks(reports: list[Context], closed: bool) -> None:
    """TASK-12: in order of creation; asyncio reports each when it is collected.  One that is closed has ended them."""
    other = impl.Loop()
    other.set_exception_handler(lambda loop, context: reports.append(context))
    tasks = [other.create_task(after(1000), name=name) for name in ("first", "second")]
    other.run_until_complete(impl.sleep(0))
    if closed:
        other.close()
        assert all(task.cancelled() for task in tasks)
    del other, tasks
    gc.collect()
    told = [(report["task"].get_name(), report["message"]) for report in reports]
    said = "Task was destroyed but it is pending!"
    assert told == ([] if closed else [("first", said), ("second", said)])


def test_a_loop_that_was_never_made_has_nothing_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C may arrive between its allocation and its `__init__`."""
    ignored: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", ignored.append)
    impl.Loop.__new__(impl.Loop)
    gc.collect()
    assert ignored == []


NAME: ContextVar[str] = ContextVar("NAME", default="outside")


async def test_the_handler_runs_in_the_context_of_what_failed(loop: impl.Loop) -> None:
    """LOOP-3."""
    heard: list[tuple[str, str]] = []
    loop.set_exception_handler(lambda loop, context: heard.append((context["message"].split()[0], NAME.get())))

    def callback(name: str) -> None:
        NAME.set(name)
        raise ValueError

    async def task() -> None:
        callback("task")

    loop.call_soon(callback, "callback")
    impl.create_task(task())
    await impl.sleep(0)
    failed(loop)
    assert heard == [("Exception", "callback"), ("Task", "task"), ("Future", "outside")]


async def test_the_handler_runs_even_where_the_context_is_in_use(loop: impl.Loop) -> None:
    """LOOP-3."""
    heard: list[str] = []
    loop.set_exception_handler(lambda loop, context: heard.append(NAME.get()))
    NAME.set("shared")
    task = impl.create_task(fails(ValueError("unasked")), context=impl.current_task().get_context())  # type: ignore[union-attr]  # one runs
    await impl.sleep(0)
    del task  # deleted here, within the context
    assert heard == ["shared"]


def test_the_handler_can_be_asked_for(loop: impl.Loop) -> None:
    assert loop.get_exception_handler() is None
    loop.set_exception_handler(print)
    assert loop.get_exception_handler() is print
