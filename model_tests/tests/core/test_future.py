"""Future, beyond the state machine's tests: context of callbacks, exceptions, repr, and use in the wrong place."""

from __future__ import annotations

from contextvars import ContextVar, copy_context

import pytest

import impl

from ...refinement.subjects import one_turn


@pytest.fixture
def loop() -> impl.Loop:
    return impl.Loop()


def test_no_loop_runs() -> None:
    with pytest.raises(RuntimeError, match="no running event loop"):
        impl.Future()


def test_an_unresolved_future_has_nothing_to_say(loop: impl.Loop) -> None:
    future = loop.create_future()
    with pytest.raises(impl.InvalidStateError):
        future.result()
    with pytest.raises(impl.InvalidStateError):
        future.exception()
    assert future.get_loop() is loop


def test_a_done_future_stays_as_it_is(loop: impl.Loop) -> None:
    """FUT-1."""
    future = loop.create_future()
    future.set_result(1)
    with pytest.raises(impl.InvalidStateError):
        future.set_result(2)
    with pytest.raises(impl.InvalidStateError):
        future.set_exception(ValueError())
    assert future.cancel() is False
    assert (future.result(), future.exception(), future.cancelled()) == (1, None, False)


def test_the_message_of_a_cancel_is_in_every_error(loop: impl.Loop) -> None:
    future = loop.create_future()
    assert future.cancel("why") is True
    for ask in (future.result, future.exception):
        with pytest.raises(impl.CancelledError) as caught:
            ask()
        assert caught.value.args == ("why",)


@pytest.mark.parametrize("given", [5, "error", int, None])
def test_set_exception_takes_exceptions_only(loop: impl.Loop, given: object) -> None:
    future = loop.create_future()
    with pytest.raises(TypeError):
        future.set_exception(given)  # type: ignore[arg-type]  # that is what is tried
    assert not future.done()


def test_set_exception_takes_a_class(loop: impl.Loop) -> None:
    future = loop.create_future()
    future.set_exception(KeyError)
    assert type(future.exception()) is KeyError


class Stop(StopIteration):
    pass


@pytest.mark.parametrize("error", [StopIteration(5), Stop(5), StopIteration])
def test_a_stop_iteration_becomes_a_runtime_error(loop: impl.Loop, error: StopIteration) -> None:
    """gh-112182: it would end the awaiting coroutine silently, as if that had returned."""
    future = loop.create_future()
    future.set_exception(error)

    async def wait() -> object:
        return await future

    with pytest.raises(RuntimeError) as caught:
        loop.run_until_complete(wait())
    assert isinstance(caught.value.__cause__, StopIteration)


def test_a_traceback_does_not_grow_when_it_is_raised_again(loop: impl.Loop) -> None:
    """bpo-45924."""
    future = loop.create_future()
    future.set_exception(ValueError())
    lengths = set()
    for _ in range(5):
        with pytest.raises(ValueError) as caught:  # noqa: PT011  # it has no text
            future.result()
        lengths.add(len(caught.traceback))
    assert len(lengths) == 1


def test_callbacks_run_in_their_contexts(loop: impl.Loop) -> None:
    var: ContextVar[str] = ContextVar("var", default="none")
    future = loop.create_future()
    seen: list[str] = []
    var.set("at registration")
    future.add_done_callback(lambda done: seen.append(var.get()))
    other = copy_context()
    other.run(var.set, "given")
    future.add_done_callback(lambda done: seen.append(var.get()), context=other)
    var.set("later")
    future.set_result(None)
    one_turn(loop)
    assert seen == ["at registration", "given"]


def test_callbacks_of_a_done_future_are_deferred_too(loop: impl.Loop) -> None:
    """FUT-3."""
    future = loop.create_future()
    future.set_result(None)
    seen: list[object] = []
    future.add_done_callback(seen.append)
    assert seen == []
    one_turn(loop)
    assert seen == [future]


def test_one_failing_callback_does_not_stop_the_others(loop: impl.Loop) -> None:
    seen: list[str] = []
    loop.set_exception_handler(lambda loop, context: seen.append(type(context["exception"]).__name__))
    future = loop.create_future()

    def fail(done: object) -> None:
        raise KeyError

    future.add_done_callback(fail)
    future.add_done_callback(lambda done: seen.append("called"))
    future.set_result(None)
    one_turn(loop)
    assert seen == ["KeyError", "called"]


def test_removing_takes_every_registration(loop: impl.Loop) -> None:
    future = loop.create_future()
    seen: list[object] = []
    other: list[object] = []
    for callback in (seen.append, other.append, seen.append):
        future.add_done_callback(callback)
    assert future.remove_done_callback(seen.append) == 2
    assert future.remove_done_callback(seen.append) == 0
    future.set_result(None)
    one_turn(loop)
    assert (seen, other) == ([], [future])


def test_a_comparison_that_resolves_the_future_while_callbacks_are_removed(loop: impl.Loop) -> None:
    """The callbacks have moved to the ready queue then; none is called twice, or lost."""
    future = loop.create_future()
    called: list[str] = []

    class Sly:
        def __eq__(self, other: object) -> bool:
            if not future.done():
                future.set_result(None)
            return False

        __hash__ = None  # type: ignore[assignment]  # equal things would need equal hashes

        def __call__(self, done: object) -> None:
            called.append("sly")

    future.add_done_callback(Sly())
    future.add_done_callback(lambda done: called.append("plain"))
    assert future.remove_done_callback(print) == 0
    one_turn(loop)
    assert called == ["sly", "plain"]


def test_awaiting_a_done_future_does_not_give_up_the_turn(loop: impl.Loop) -> None:
    """FUT-4."""
    future = loop.create_future()
    future.set_result(7)

    async def wait() -> int:
        return sum([await future for _ in range(3)])

    task = loop.create_task(wait())
    one_turn(loop)
    assert task.result() == 21


def test_repr_says_the_state(loop: impl.Loop) -> None:
    pending, done, failed, cancelled = (loop.create_future() for _ in range(4))
    done.set_result(3)
    failed.set_exception(ValueError("no"))
    cancelled.cancel()
    assert [repr(future) for future in (pending, done, failed, cancelled)] == [
        "<Future pending>",
        "<Future finished result=3>",
        "<Future failed exception=ValueError('no')>",
        "<Future cancelled>",
    ]
    assert failed.exception() is not None  # otherwise it would be reported
