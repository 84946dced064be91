"""Machines made from specifications: whatever a text says is in them, and their findings read as programs.

The queue is derived from, with additions as of a user; the objects under test are `impl`'s queue and
wrong ones.  That machines catch mutants is tested elsewhere.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

import impl
from spec.crawl import crawl, crawl_model
from spec.crawl.bounded import DIAMOND
from spec.kit.core import Event, Spec, SpecError
from spec.kit.model import Model
from spec.kit.monitor import Rejected
from spec.kit.trace import Do, Line, Return
from spec.queue import Const, Queue, Said, Task, queue, queue_model

from ...implementations.all_mutants import BY_NAME
from ...refinement.machines.generator import ModelContext, SpecMachine, machine
from ...refinement.machines.queue import PUTS, queue_adapter
from ...refinement.machines.race_states import RaceStates
from ...refinement.machines.shortest_paths import TURN
from ...refinement.subjects import IMPL, Subject


def derived() -> Spec[Const, Queue]:
    return Spec("mine", Queue, extends=queue)


def model(spec: Spec[Const, Queue] = queue, maxsize: int = 2, tasks: int = 3) -> Model[Const, Queue]:
    return queue_model(tasks, maxsize, PUTS, items=2, spec=spec)


def with_queue(new: type[impl.Queue[Any]]) -> Subject:  # Any: items are anything
    return replace(IMPL, new_queue=new)


def fails(machine: type[SpecMachine], *phases: Phase) -> Rejected:
    once = settings(max_examples=100, report_multiple_bugs=False, phases=[Phase.generate, *phases])
    with pytest.raises(Rejected) as failure:
        run_state_machine_as_test(machine, settings=once)
    return failure.value


def test_an_action_that_no_adapter_knows_is_named() -> None:
    mine = derived()

    @mine.action()
    def shuffle(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
        """MY-1: A call that no queue has."""
        yield s

    with pytest.raises(SpecError, match=r"^mine\.shuffle: the adapter does not know this action: "):
        machine(model(mine), queue_adapter(IMPL))


@pytest.mark.parametrize("name", ["turn", "rest", "begin_again", "teardown"])
def test_an_action_may_not_be_named_as_something_of_the_machine(name: str) -> None:
    def action(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
        """MY-1: A call of that name."""
        yield s

    action.__name__ = name
    mine = derived()
    mine.action()(action)
    with pytest.raises(SpecError, match=rf"^mine\.{name}: machines have something of that name$"):
        machine(model(mine), queue_adapter(IMPL))


@pytest.mark.long("a second")
def test_a_new_action_is_a_rule(full: bool) -> None:
    """A method that impl.Queue has, and the text has not: the adapter needs nothing, and a wrong answer is found."""
    mine = derived()

    def size(k: Const, s: Queue, u: Queue, t: Task) -> tuple[int]:
        return (len(s.buf),)

    @mine.action(answer=size)
    def qsize(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
        """MY-1: qsize() returns the number of items in the buffer."""
        if s.at[t] == "idle":
            yield s

    made = machine(model(mine), queue_adapter(IMPL))
    run_state_machine_as_test(made, settings=settings(max_examples=20 if full else 5))
    wrong = replace(mine.actions["qsize"], answer=lambda k, s, u, t: (len(s.buf) + 1,))
    mine.actions["qsize"] = wrong
    assert isinstance(asked := fails(made).accepted[-1], Do)
    assert asked.event.name == "qsize"


def test_a_new_invariant_judges() -> None:
    mine = derived()

    @mine.invariant
    def never_two(k: Const, s: Queue) -> bool:
        """MY-1: There are never two items."""
        return len(s.buf) < 2

    failure = fails(machine(model(mine), queue_adapter(IMPL)))
    assert re.search(r"breaks? never_two$", str(failure), re.MULTILINE)


def test_a_failure_reads_as_a_program() -> None:
    two = model(tasks=2)
    failure = fails(machine(two, queue_adapter(with_queue(BY_NAME["QueueCountsBelowZero"].wrong))), Phase.shrink)
    program = "\n".join(failure.__notes__)
    assert (
        "state.begin(ground=<queue: Const(tasks=frozenset({0, 1}), maxsize=2, puts=1000, withdraws=True, "
        "order=<Order.FIFO: 'fifo'>, shuts=False)>" in program
    )
    assert re.search(r"^state\.task_done\(args=\([01],\)\)$|name='task_done', args=\([01],\)", program, re.MULTILINE)
    assert re.match(r"queue: rejected at line [2-4]: return done to [01]\n", str(failure))


def test_of_several_models_each_is_drawn(full: bool) -> None:
    sizes: set[int] = set()

    class Counted(SpecMachine):
        def set_up(self, ground: ModelContext) -> None:
            sizes.add(ground.monitor.model.k.maxsize)
            super().set_up(ground)

    made = machine([model(maxsize=n) for n in (0, 1, 2)], queue_adapter(IMPL), base=Counted)
    few = settings(max_examples=30 if full else 12, stateful_step_count=5, phases=[Phase.generate])
    run_state_machine_as_test(made, settings=few)
    assert sizes == {0, 1, 2}


def told(new: type[impl.Queue[Any]], *moves: Event) -> list[Line]:
    """The lines recorded of a queue of class `new`, of capacity 1."""
    lines: list[Line] = []
    adapter = queue_adapter(with_queue(new))(model(maxsize=1).k, lines.append)
    try:
        for move in moves:
            if move == TURN:
                adapter.turn()
            else:
                adapter.do(move)
        adapter.settle()
    finally:
        adapter.close()
    return lines


def test_calls_take_place_when_their_tasks_run_and_plain_ones_at_once() -> None:
    get, put, cancel = Event("get", (0,)), Event("put_nowait", (1, 5)), Event("cancel", (0,))
    done = Return(1, Said.DONE)
    assert told(impl.Queue, get, put) == [Do(put), done, Do(get), Return(0, 5)]
    assert told(impl.Queue, get, TURN, put) == [Do(get), Do(put), done, Return(0, 5)]
    assert told(impl.Queue, get, TURN, cancel) == [Do(get), Do(cancel), Return(0, Said.CANCELLED)]
    full = Event("put_nowait", (1, 6))
    assert told(impl.Queue, put, full) == [Do(put), done, Do(full), Return(1, Said.REFUSED)]


def test_what_no_queue_raises_is_an_answer_that_no_text_has() -> None:
    class Broken(impl.Queue[Any]):
        def get_nowait(self) -> Any:
            raise LookupError("no shelf")

    assert told(Broken, Event("get_nowait", (0,)))[-1] == Return(0, "LookupError('no shelf')")
    failure = fails(machine(model(), queue_adapter(with_queue(Broken))))
    assert failure.line.startswith("return LookupError")


def test_what_the_exception_handler_is_told_fails_the_run() -> None:
    class Noisy(impl.Queue[Any]):
        async def join(self) -> None:
            impl.get_running_loop().call_soon(lambda: [].pop())

    with pytest.raises(AssertionError, match="the exception handler was told"):
        told(Noisy, Event("join", (0,)))


def test_an_object_may_take_some_turns_before_it_answers() -> None:
    class Slow(impl.Queue[Any]):
        async def join(self) -> None:
            for _ in range(4):
                await impl.sleep(0)

    assert told(Slow, Event("join", (0,)))[-1] == Return(0, Said.DONE)


def test_a_real_queue_can_be_led_into_a_race_of_every_kind() -> None:
    large = queue_model(3, 1, PUTS, items=2, symmetric=True)
    ground = ModelContext(large)
    hidden = {name for name, action in queue.actions.items() if action.hidden}
    assert hidden == {kind for kind, _ in ground.races.found}
    for (kind, _), races in ground.races.found.items():
        led = machine(large, queue_adapter(IMPL))()
        led.set_up(ground)
        led.steer(races[0].path)
        if led.asked:  # the last call takes place when its task runs
            led.turn()
        assert kind in {event.name for event in led.monitor.due()}
        led.teardown()


def test_without_hidden_actions_every_action_is_led_to_and_drawn_models_are_not_searched() -> None:
    diamond = crawl_model(DIAMOND)
    # Nothing there fails.
    assert {*crawl.actions} - {"fail"} == {kind for kind, _ in RaceStates(diamond).found}
    assert RaceStates(diamond, most=0).found == {}
