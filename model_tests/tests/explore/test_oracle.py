"""A specification as the oracle: right queues are accepted, and a program with a wrong one names the rule."""

import asyncio
import re
from types import ModuleType
from typing import Any

import pytest

import impl
from impl.explore import CannotExplore
from impl.explore.programs.program import UserMain
from spec.future import future_model
from spec.kit.core import SpecError
from spec.queue import queue, queue_model

from ...explored import OwnOracle, explore
from ...explored.instrumentation import RuleBroken
from ...explored.oracle import oracle
from ...implementations.all_mutants import MUTANTS
from ...refinement.check_implementation import check_implementation

pytest_plugins = "pytester"

RUNS = 40


def jobs(names: Any, maxsize: int = 1) -> UserMain:
    """Two producers, and two consumers; one of these is cancelled: the program is right.  `names`: asyncio's."""

    async def produce(queue: Any, number: int) -> None:
        for item in range(2):
            await queue.put((number, item))

    async def consume(queue: Any) -> None:
        while True:
            await queue.get()
            try:
                await names.sleep(0)
            finally:
                queue.task_done()

    async def main() -> None:
        queue = names.Queue(maxsize)
        consumers = [names.create_task(consume(queue)) for _ in range(2)]
        producers = [names.create_task(produce(queue, number)) for number in range(2)]
        await names.sleep(0)
        consumers[0].cancel()
        await names.gather(*producers)
        await queue.join()
        consumers[1].cancel()

    return main


def handed(names: Any) -> UserMain:
    """Two getters wait; the first is woken and cancelled at once, so the item is for the second."""

    async def main() -> None:
        queue = names.Queue()
        first, second = (names.create_task(queue.get()) for _ in range(2))
        await names.sleep(0)
        queue.put_nowait("item")
        first.cancel()
        await second

    return main


def names_of(mutant: str) -> ModuleType:
    (found,) = (each for each in MUTANTS if each.name == mutant)
    return found.names()


@pytest.mark.parametrize(("names", "runtime"), [(impl, "impl"), (asyncio, "asyncio")])
def test_right_queues_are_accepted(names: Any, runtime: Any) -> None:
    for main in (jobs(names), handed(names)):
        found = explore(main, spec=queue_model(5, 1, 1), runs=RUNS, runtime=runtime)
        assert (found.verdict, found.runs) == ("not exhausted", RUNS)


RULE = pytest.mark.long("another rule of the same program")


@pytest.mark.parametrize(("mutant", "main", "rule"), [
    pytest.param("QueueGetterTrustsWakeUp", jobs, "QUEUE-4", marks=RULE),
    ("QueuePutterTrustsWakeUp", jobs, "QUEUE-13"),
    pytest.param("QueueJoinsWhenEmpty", jobs, "QUEUE-15", marks=RULE),
    ("QueueGetterKeepsWakeUp", handed, "QUEUE-4"),
])  # fmt: skip
def test_a_wrong_queue_is_reported_with_the_rule(mutant: str, main: Any, rule: str) -> None:
    found = explore(main(names_of(mutant)), spec=queue_model(5, 1, 1), runs=RUNS * 2, runtime="impl")
    assert found.failure is not None
    error = found.failure.error
    assert isinstance(error, RuleBroken)
    assert rule in error.rules
    assert f"{rule}: " in found.report()
    token = found.failure.token
    again = explore(main(names_of(mutant)), spec=queue_model(5, 1, 1), runtime="impl", token=token)
    assert again.failure is not None
    assert str(again.failure.error) == str(error)


def test_the_methods_are_as_before_afterwards() -> None:
    before = [dict(vars(each)) for each in (asyncio.Queue, impl.Queue, impl.Loop)]
    explore(jobs(asyncio), spec=queue_model(5, 1, 1), runs=1)
    assert [dict(vars(each)) for each in (asyncio.Queue, impl.Queue, impl.Loop)] == before


def test_what_the_specification_does_not_model_is_not_judged() -> None:
    """Other orders, items put before, a report of an item that was not taken, and calls after a shutdown."""
    old = impl.Queue[int]()
    old.put_nowait(1)

    async def main() -> None:
        stack = impl.LifoQueue[int]()
        for item in range(2):
            stack.put_nowait(item)
        assert stack.get_nowait() == 1
        assert old.qsize()
        old.put_nowait(2)
        assert old.get_nowait() in (1, 2)
        strange = impl.Queue[int]()
        strange.put_nowait(1)
        strange.task_done()
        shut = impl.Queue[int]()
        shut.put_nowait(1)
        shut.shutdown(immediate=True)
        with pytest.raises(impl.QueueShutDown):
            shut.get_nowait()

    explored = explore(main, spec=queue_model(2, 1, 1), runs=1, runtime="impl")
    assert explored.failure is None


def test_a_model_that_does_not_fit_is_refused() -> None:
    with pytest.raises(SpecError, match="programs are judged by models of `queue`"):
        explore(jobs(asyncio), spec=future_model(2, 1, 1))
    told = "cannot be explored: the model has 2 tasks, but more call one queue: give it more of them"
    with pytest.raises(CannotExplore, match=f"^{told}$"):
        explore(jobs(asyncio), spec=queue_model(2, 1, 1))


@pytest.mark.parametrize("no_model", ["queue", queue_model, queue, 3])
def test_what_is_no_model_is_refused(no_model: Any) -> None:
    told = f"spec={re.escape(repr(no_model))} is no model: give one of the queue, as spec=queue_model\\("
    with pytest.raises(SpecError, match=told):
        explore(jobs(asyncio), spec=no_model)
    with pytest.raises(SpecError, match="is no model"):
        OwnOracle(no_model, asyncio.Queue)
    with pytest.raises(SpecError, match="is neither a model nor an instance"):
        check_implementation(no_model)


@pytest.mark.parametrize("spec", ['"queue"', "future_model(2, 1, 1)"])
def test_a_marker_without_a_model_is_refused(spec: str, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        f"""
import pytest
from spec.future import future_model

@pytest.mark.explore(runs=2, spec={spec})
async def test_queue():
    pass
"""
    )
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "no:asyncio")
    result.stdout.fnmatch_lines(["*explore: *model*queue*"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*.py:*: *Error*")


MARKED = """
import asyncio, pytest
from spec.queue import queue_model

class Unbounded(asyncio.Queue):
    def __init__(self, maxsize=0):
        super().__init__()

@pytest.mark.explore(runs=2, spec=queue_model(2, 1, 1))
async def test_queue():
    queue = Unbounded(1)
"""


@pytest.mark.parametrize(("calls", "told"), [
    ("    await queue.put(1)\n    await queue.put(2)\n",
     "*RuleBroken: QUEUE-12: A put with room adds its item at once, *"),
    ("", "Failed: explore: never in 2 runs: a call of a queue is judged"),
])  # fmt: skip
def test_a_marked_test_has_an_oracle(calls: str, told: str, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=MARKED + calls)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "no:asyncio")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([told])


def test_a_search_that_judges_no_queue_has_failed() -> None:
    async def main() -> None:
        impl.LifoQueue[int]().put_nowait(1)

    found = explore(main, spec=queue_model(2, 1, 1), runs=1, runtime="impl")
    assert (found.failure, found.never) == (None, ["a call of a queue is judged"])


def test_a_queue_class_that_inherits_its_methods_is_judged() -> None:
    class Narrow:
        """A queue of one item, whatever its maxsize."""

        def __init__(self, maxsize: int = 0) -> None:
            self.maxsize, self.items = maxsize, [0] * 0

        def qsize(self) -> int:
            return len(self.items)

        def put_nowait(self, item: int) -> None:
            if self.items:
                raise impl.QueueFull
            self.items.append(item)

    class Child(Narrow):
        pass

    async def main() -> None:
        queue = Child(2)
        queue.put_nowait(1)
        queue.put_nowait(2)

    found = explore(main, spec=oracle(queue_model(2, 1, 1), Child), runs=1, runtime="impl")
    assert found.failure is not None
    assert isinstance(found.failure.error, RuleBroken)
