"""Column machine: a state machine of Hypothesis fails on the mutant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import HypothesisException
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from impl import CancelledError, Choices

from ...conformance.kit import left_behind
from ...refinement.machines.frontier import frontier_machine
from ...refinement.machines.locks import condition_machine, event_machine, lock_machine
from ...refinement.machines.queue import queue_machine
from ...refinement.machines.stream import MODELS, stream_machine
from ...refinement.machines.tasks import task_machine
from ...refinement.subjects import Subject
from ..mutant import Mutant
from ..streams import instead

#: What was found, as JSON.
Found = dict[str, Any]
EXAMPLES: Final = 300
STEPS: Final = 40
#: What a machine raises when it catches a subject: its own verdict, or an error that the subject let out.
CAUGHT: Final = (Exception, CancelledError)

MACHINES: Final[dict[str, Callable[[Subject], type[RuleBasedStateMachine]]]] = {
    "Future": task_machine,
    "Task": task_machine,
    "Queue": queue_machine,
    "Lock": lock_machine,
    "Semaphore": lock_machine,
    "BoundedSemaphore": lock_machine,
    "Condition": condition_machine,
    "Event": event_machine,
}
#: Streams with room for two bytes on a network without faults.
STREAMS: Final = [model for model in MODELS if model.k.capacity == 2 and not model.k.faulty]


def machine_of(mutant: Mutant) -> type[RuleBasedStateMachine] | None:
    """The machine that drives it, if there is one."""
    if mutant.replaces in ("Stream", "Conn"):
        return stream_machine(STREAMS, Choices.plain, instead(mutant))
    if mutant.replaces == "Frontier":
        return frontier_machine(mutant.wrong)
    if mutant.replaces not in MACHINES:
        return None
    subject = mutant.subject()
    if mutant.replaces == "BoundedSemaphore":
        subject = replace(subject, new_semaphore=mutant.wrong)
    return MACHINES[mutant.replaces](subject)


def find(mutant: Mutant) -> Found | None:
    """In which of up to EXAMPLES examples it fails."""
    machine = machine_of(mutant)
    if machine is None:
        return None
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
    with left_behind():
        try:
            run_state_machine_as_test(counting, settings=once)
        except HypothesisException:
            raise
        except CAUGHT:
            return {"examples": examples}
    return None


def again(mutant: Mutant, found: Found) -> bool:
    """The number of examples may differ from one version of Hypothesis to another."""
    return find(mutant) is not None
