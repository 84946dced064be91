"""Column machine: a state machine of Hypothesis fails on the mutant."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import HypothesisException
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from impl import CancelledError, Choices
from impl.net import Stream

from ...conformance.loops.garbage import left_behind
from ...refinement.machines.crawl import frontier_machine
from ...refinement.machines.futures import future_machine
from ...refinement.machines.locks import condition_machine, event_machine, lock_machine
from ...refinement.machines.queue import QueueForm, queue_machine
from ...refinement.machines.stream import MODELS, stream_machine
from ...refinement.machines.tasks import task_machine
from ...refinement.repeatable import repeatable
from ...refinement.subjects import Subject
from ..mutant import Mutant

#: A finding, as JSON.
Found = dict[str, Any]
EXAMPLES: Final = 600
STEPS: Final = 40
#: The exceptions of a machine that catches a subject: its own verdict, or an error that the subject let out.
CAUGHT: Final = (Exception, CancelledError)

#: Makes the machine of a subject.
Maker = Callable[[Subject], type[RuleBasedStateMachine]]
TASKS: Final[dict[str, Maker]] = {"tasks": task_machine}
FUTURES: Final[dict[str, Maker]] = TASKS | {"futures": future_machine}
LOCKS: Final[dict[str, Maker]] = {"locks": lock_machine}
MACHINES: Final[dict[str, dict[str, Maker]]] = {
    "Future": FUTURES,
    "Task": FUTURES,
    "shield": TASKS,
    "sleep": TASKS,
    "Queue": {
        "queues": queue_machine,
        "queues that are shut down": partial(queue_machine, form=QueueForm.SHUT),
    },
    "LifoQueue": {"queues": partial(queue_machine, form=QueueForm.LIFO)},
    "PriorityQueue": {"queues": partial(queue_machine, form=QueueForm.LEAST)},
    "Lock": LOCKS,
    "Semaphore": LOCKS,
    "BoundedSemaphore": LOCKS,
    "Condition": {"conditions": condition_machine},
    "Event": {"events": event_machine},
}
#: Streams with room for two bytes on a network without faults.
STREAMS: Final = [model for model in MODELS if model.k.capacity == 2 and not model.k.faulty]


def machines_of(mutant: Mutant) -> dict[str, type[RuleBasedStateMachine]]:
    """The machines that drive it, by name."""
    if mutant.replaces in ("Stream", "Conn"):
        return {"streams": stream_machine(STREAMS, Choices.plain, instead(mutant))}
    if mutant.replaces == "Frontier":
        return {"frontiers": frontier_machine(mutant.wrong)}
    subject = mutant.subject()
    if mutant.replaces == "BoundedSemaphore":
        subject = replace(subject, new_semaphore=mutant.wrong)
    return {name: make(subject) for name, make in MACHINES.get(mutant.replaces, {}).items()}


def instead(mutant: Mutant) -> Callable[[Stream], Stream]:
    """Makes, from a right stream, the wrong one that takes its place and its connection.

    A wrong connection stands between a right stream and the right connection.
    """

    def wrap(stream: Stream) -> Stream:
        conn, maker, wrong = stream._conn, stream._readable._maker, mutant.wrong
        made: Stream = Stream(wrong(conn), maker) if mutant.replaces == "Conn" else wrong(conn, maker)
        return made

    return wrap


def find(mutant: Mutant) -> Found | None:
    """The first machine that fails, and the number of its failing example."""
    for name, machine in machines_of(mutant).items():
        if (examples := failing(machine)) is not None:
            return {"of": name, "examples": examples}
    return None


def failing(machine: type[RuleBasedStateMachine]) -> int | None:
    """The number of the example, of up to EXAMPLES, that fails."""
    examples = 0

    def counted(self: Any) -> None:
        nonlocal examples
        examples += 1
        machine.__init__(self)

    counting = type(machine.__name__, (machine,), {"__init__": counted})
    once = settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        phases=[Phase.generate],  # asked is whether it is found, not how small
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    with left_behind(), repeatable():
        try:
            run_state_machine_as_test(counting, settings=once)
        except HypothesisException:
            raise
        except CAUGHT:
            return examples
    return None


def again(mutant: Mutant, found: Found) -> bool:
    """The number of examples may differ from one version of Hypothesis to another."""
    return failing(machines_of(mutant)[found["of"]]) is not None
