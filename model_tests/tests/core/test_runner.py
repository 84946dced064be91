"""Runner and run: several programs on one loop, and the cleanup after each."""

from collections.abc import AsyncIterator, Generator
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any

import pytest

import impl
from impl import Runner, sleep
from impl.tasks import current as running

from .conftest import after, cleans_up, now

number: ContextVar[int] = ContextVar("number", default=0)


def test_programs_share_a_loop_and_a_context() -> None:
    """RUN-2: tasks that one program leaves running continue in the next."""
    left: list[impl.Task[str]] = []

    async def first() -> str:
        number.set(7)
        left.append(impl.create_task(after(5, "slow")))
        return str(await sleep(2, "first"))

    async def second() -> tuple[int, float, str]:
        result = await left[0]
        return number.get(), now(), result

    with Runner() as runner:
        assert runner.run(first()) == "first"
        assert not left[0].done()
        assert runner.run(second()) == (7, 5, "slow")
        assert runner.get_loop() is runner.get_loop()
    assert number.get() == 0


def test_a_context_may_be_given() -> None:
    context = copy_context()
    context.run(number.set, 3)

    async def main() -> int:
        return number.get()

    with Runner() as runner:
        assert runner.run(main(), context=context) == 3
        assert runner.run(main()) == 0


def test_what_is_left_is_cancelled_and_waited_for() -> None:
    """RUN-1, RUN-2: in order of creation; an unexhausted generator is closed, too, and its `finally` may wait."""
    log: list[object] = []

    async def counts() -> AsyncIterator[int]:
        try:
            yield 1
            yield 2
        finally:
            await sleep(1)
            log.append("closed")

    held = counts()

    async def main() -> None:
        for name in "abc":
            impl.create_task(cleans_up(log, name, 1))
        assert await anext(held) == 1
        await sleep(1)

    runner = Runner()
    runner.run(main())
    loop = runner.get_loop()
    assert (log, loop.time()) == ([], 1)
    runner.close()
    assert (log, loop.time()) == (["a", "b", "c", "closed"], 3)
    assert loop.is_closed()
    runner.close()


def test_errors_come_out_and_the_runner_goes_on() -> None:
    async def hangs() -> None:
        await impl.get_running_loop().create_future()

    with Runner() as runner:
        with pytest.raises(KeyError):
            runner.run(after(0, KeyError()))
        with pytest.raises(impl.DeadlockError):
            runner.run(hangs())
        assert runner.run(after(0, "works")) == "works"


def test_a_factory_makes_the_loop() -> None:
    class Debuggable(impl.Loop):
        debug: bool | None = None

        def set_debug(self, on: bool) -> None:
            self.debug = on

    loop = Debuggable()
    with Runner(debug=True, loop_factory=lambda: loop) as runner:
        assert runner.get_loop() is loop
        assert loop.debug is True


class Answer:
    """An awaitable that is no coroutine."""

    def __await__(self) -> Generator[Any, Any, str]:
        yield from impl.sleep(1).__await__()
        return "answer"


def test_any_awaitable_is_a_program() -> None:
    """RUN-2, since 3.14: in the context that was given, too."""
    with Runner() as runner:
        for run in (impl.run, partial(impl.run, loop_factory=impl.Loop), impl.Loop().run, runner.run):
            assert run(Answer()) == "answer"
        future = runner.get_loop().create_future()
        future.set_result("done")
        assert runner.run(future) == "done"
        with pytest.raises(TypeError, match="Context was expected"):
            runner.run(Answer(), context="context")  # type: ignore[arg-type]  # the error of this test
        assert runner.run(Answer(), context=copy_context()) == "answer"


def test_misuse() -> None:
    """RUN-2; a coroutine that is refused is closed: there is no warning that it was never awaited."""

    async def main() -> None:
        with pytest.raises(RuntimeError, match="running event loop"):
            Runner().run(sleep(1))

    runner = Runner()
    for run in (runner.run, impl.run):
        with pytest.raises(TypeError, match="an awaitable is required, not <function"):
            run(main)  # type: ignore[arg-type]  # the error of this test
    runner.run(main())
    runner.close()
    for call in (lambda: runner.run(main()), runner.get_loop):
        with pytest.raises(RuntimeError, match="closed"):
            call()
    assert running.running_loop_or_none() is None
