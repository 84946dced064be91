"""The loop's own rules: iterations, stop, cleanup by run, the exception handler, nesting; and misuse gets an error."""

import logging
from collections.abc import Callable
from math import nan
from typing import Any

import pytest

import impl
from impl import sleep

from ...refinement.subjects import one_turn
from .conftest import Context, cleans_up, fails


async def turns_until_a_timer_fires(loop: impl.Loop) -> int:
    """Return how often a spinner runs before a timer of delay 0 fires."""
    fired: list[int] = []
    loop.call_later(0, fired.append, 1)
    turns = 0
    while not fired:
        await sleep(0)
        turns += 1
        assert turns < 1000
    return turns


def test_a_spinner_never_starves_a_due_timer(loop: impl.Loop) -> None:
    """KERNEL-1: when the timer becomes due the spinner is ready already, and runs first just once."""
    assert loop.run(turns_until_a_timer_fires(loop)) == 2
    assert loop.time() == 0.0


def test_under_any_a_spinner_may_overtake_a_due_timer_but_not_for_ever() -> None:
    seen = set()
    for seed in range(50):
        loop = impl.Loop(impl.Choices.seeded(seed), "any")
        seen.add(loop.run(turns_until_a_timer_fires(loop)))
    assert min(seen) == 1
    assert max(seen) > 2


def test_a_spinner_for_ever_is_a_livelock() -> None:
    """KERNEL-3."""
    loop = impl.Loop(turns_max=1000)

    async def spin() -> None:
        while True:
            await sleep(0)

    with pytest.raises(impl.LivelockError, match="1000 turns have passed while the clock stood still") as caught:
        loop.run_until_complete(loop.create_task(spin(), name="spinner"))
    said = str(caught.value)
    assert "spinner is ready at" in said
    assert f"{__name__.rpartition('.')[2]}.py:" in said
    loop.close()


def test_turns_are_counted_per_instant() -> None:
    """A spinner is no livelock, however long it runs, if the clock advances in between."""
    loop = impl.Loop(turns_max=100)

    async def work() -> None:
        for _ in range(20):
            for _ in range(40):
                await sleep(0)
            await sleep(1)

    loop.run(work())
    assert loop.time() == 20.0


@pytest.mark.parametrize("before_the_run", [False, True])
def test_stop_finishes_its_turn_and_no_more(loop: impl.Loop, before_the_run: bool) -> None:
    seen: list[str] = []

    def say() -> None:
        seen.append("now")
        loop.call_soon(seen.append, "later")

    if not before_the_run:
        loop.call_soon(loop.stop)
    loop.call_soon(say)
    if before_the_run:
        loop.stop()
    loop.run_forever()
    assert seen == ["now"]
    one_turn(loop)
    assert seen == ["now", "later"]


def test_stop_before_the_run_waits_for_nothing(loop: impl.Loop) -> None:
    seen: list[str] = []
    loop.call_later(1, seen.append, "in a second")
    loop.call_later(0, seen.append, "due")
    for _ in range(2):
        loop.stop()
        loop.run_forever()
        assert (seen, loop.time()) == (["due"], 0)
    loop.close()


def test_a_run_waits_for_what_is_never_due_no_longer_than_for_anything(loop: impl.Loop) -> None:
    with pytest.raises(impl.DeadlockError):
        loop.run_until_complete(impl.sleep(float("inf")))


def test_a_stopped_program_is_not_complete(loop: impl.Loop) -> None:
    future = loop.create_future()
    loop.call_soon(loop.stop)
    with pytest.raises(RuntimeError, match="stopped before Future completed"):
        loop.run_until_complete(future)
    future.set_result(5)
    assert loop.run_until_complete(future) == 5


def test_an_error_of_what_was_left_is_reported(loop: impl.Loop, reports: list[Context]) -> None:
    async def leftover() -> None:
        try:
            await sleep(100)
        finally:
            raise KeyError

    async def main() -> None:
        loop.create_task(leftover(), name="left")
        await sleep(0)

    loop.run(main())
    assert [(type(what["exception"]), what["task"].get_name()) for what in reports] == [(KeyError, "left")]
    assert loop.time() == 0.0


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_goes_through_and_the_rest_is_cleaned_up(error: type[BaseException]) -> None:
    seen: list[str] = []

    async def main() -> None:
        impl.create_task(cleans_up(seen, "clean", 1))
        await sleep(0)
        raise error

    with pytest.raises(error):
        impl.run(main())
    assert seen == ["clean"]


def test_an_interrupt_in_a_callback_leaves_the_rest_ready(loop: impl.Loop) -> None:
    seen: list[str] = []
    loop.call_soon(fails(KeyboardInterrupt()).send, None)
    loop.call_soon(seen.append, "still ready")
    with pytest.raises(KeyboardInterrupt):
        one_turn(loop)
    assert seen == []
    one_turn(loop)
    assert seen == ["still ready"]


def fail(*given: object) -> None:
    raise KeyError("broken")


def test_the_handler_gets_asyncios_keys(loop: impl.Loop) -> None:
    got: list[tuple[object, Context]] = []
    loop.set_exception_handler(lambda loop, context: got.append((loop, context)))
    handle = loop.call_soon(fail)
    one_turn(loop)
    ((whose, context),) = got
    assert (whose, repr(context["exception"]), context["handle"]) == (loop, "KeyError('broken')", handle)
    assert "fail" in context["message"]
    loop.call_exception_handler({"message": "by hand"})
    assert got[1:] == [(loop, {"message": "by hand"})]


@pytest.mark.parametrize("handled", [False, True])
def test_an_error_without_a_handler_or_in_it_is_logged(
    loop: impl.Loop, caplog: pytest.LogCaptureFixture, handled: bool
) -> None:
    if handled:
        loop.set_exception_handler(fail)
    loop.call_soon(fail)
    one_turn(loop)
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("impl", logging.ERROR)
    assert record.exc_info is not None
    assert record.exc_info[0] is KeyError
    assert (record.getMessage() == "Unhandled error in exception handler") == handled
    caplog.clear()  # checked: the log was expected


async def test_a_running_loop_refuses_to_run_and_starts_nothing(loop: impl.Loop) -> None:
    ran: list[str] = []
    coro = cleans_up(ran, "ran")
    with pytest.raises(RuntimeError, match="already running"):
        loop.run_until_complete(coro)
    with pytest.raises(RuntimeError, match="already running"):
        loop.run_forever()
    with pytest.raises(RuntimeError, match="running event loop"):
        impl.run(coro)
    with pytest.raises(RuntimeError, match="running"):
        loop.close()
    await sleep(100)
    assert ran == []


def test_loops_may_nest_and_each_sees_its_own(loop: impl.Loop) -> None:
    other = impl.Loop()

    async def inner() -> None:
        assert impl.get_running_loop() is other
        await sleep(5)

    async def main() -> None:
        task = impl.current_task()
        other.run_until_complete(inner())
        assert (impl.get_running_loop(), impl.current_task()) == (loop, task)

    loop.run(main())
    assert (other.time(), loop.time()) == (5.0, 0.0)
    other.close()
    with pytest.raises(RuntimeError, match="no running event loop"):
        impl.get_running_loop()


def test_a_closed_loop_takes_nothing_more(loop: impl.Loop) -> None:
    loop.close()
    loop.close()
    assert loop.is_closed()
    for use in (
        loop.run_forever,
        lambda: loop.call_soon(print),
        lambda: loop.call_later(1, print),
        lambda: loop.call_at(1, print),
        lambda: loop.create_task(sleep(0)),
    ):
        with pytest.raises(RuntimeError, match="Event loop is closed"):
            use()


@pytest.mark.parametrize("watched", [False, True])
def test_a_cancel_raised_by_a_callback_is_reported(watched: bool) -> None:
    """FUT-11: the other callbacks still run."""
    reported: list[object] = []
    loop = impl.Loop(observer=impl.Recorder() if watched else None)
    loop.set_exception_handler(lambda _, what: reported.append(type(what["exception"])))
    loop.call_soon(fails(impl.CancelledError()).send, None)
    loop.call_soon(reported.append, "next")
    loop.run(sleep(1))
    assert reported == [impl.CancelledError, "next"]


def future() -> Any:  # Any: no gather takes futures of several loops, as far as types can say
    return impl.Loop().create_future()


def loop_with(**options: Any) -> Callable[[], impl.Loop]:  # Any: options of several types
    return lambda: impl.Loop(**options)


OUTSIDE = (
    impl.Future, impl.current_task, impl.gather, impl.capture_call_graph,
    lambda: impl.timeout(1), lambda: impl.ensure_future(impl.sleep(1)),  # which is closed: nothing is left un-awaited
)  # fmt: skip
# Any: a type checker refuses what is no awaitable.
NUMBER: Any = 42
NONE: Any = None
LIST: Any = [42]
MISUSE: list[tuple[Callable[[], object], type[Exception], str]] = [
    *((call, RuntimeError, "no running event loop") for call in OUTSIDE),
    (lambda: impl.timeout(1, loop=impl.Loop()).__aenter__().send(None), RuntimeError, "inside a task"),
    (lambda: impl.gather(future(), future()), ValueError, "different loop"),
    (lambda: impl.ensure_future(future(), loop=impl.Loop()), ValueError, "different loop"),
    (lambda: impl.Loop().run_until_complete(future()), ValueError, "different loop"),
    (lambda: impl.gather(future(), NUMBER), TypeError, "required"),
    (lambda: impl.ensure_future(NUMBER), TypeError, "required"),
    (lambda: impl.ensure_future(NONE), TypeError, "required"),
    (lambda: impl.ensure_future(LIST), TypeError, "required"),
    (lambda: impl.wrap_future(42, loop=impl.Loop()), TypeError, "required"),
    (lambda: impl.run(impl.wait([future(), 42])), TypeError, "future"),
    (lambda: impl.run(impl.wait(iter(()))), ValueError, "at least one"),
    (lambda: impl.run(impl.wait([future()], return_when="whenever")), ValueError, "return_when"),
    (lambda: impl.as_completed(future()), TypeError, "iterable"),
    (lambda: impl.format_call_graph("text"), TypeError, "takes a future or a task, not 'text'"),
    (loop_with(order="lifo"), ValueError, "'lifo'"),
    (loop_with(order="any"), ValueError, "needs choices"),
    (loop_with(late_ms_max=5), ValueError, "needs choices"),
    (loop_with(late_ms_max=-1, choices=impl.Choices.plain()), ValueError, ">= 0"),
    (lambda: impl.Loop().call_later(nan, print), ValueError, "NaN"),
    (lambda: impl.run(impl.sleep(nan)), ValueError, "NaN"),
    (lambda: impl.Lock().release(), RuntimeError, "not acquired"),
    (lambda: impl.Semaphore(-1), ValueError, ">= 0"),
    (lambda: impl.BoundedSemaphore(1).release(), ValueError, "too many times"),
    (lambda: impl.Condition().release(), RuntimeError, "not acquired"),
    (lambda: impl.Condition().notify(), RuntimeError, "un-acquired"),
    (lambda: impl.run(impl.Condition().wait()), RuntimeError, "un-acquired"),
    (lambda: impl.Barrier(-1), ValueError, "parties"),
    (lambda: impl.Queue[int]().task_done(), ValueError, "too many times"),
]


@pytest.mark.parametrize(("misuse", "error", "text"), MISUSE)
def test_misuse_is_named(misuse: Callable[[], object], error: type[Exception], text: str) -> None:
    """ENSURE-1, among others."""
    with pytest.raises(error, match=text):
        misuse()
