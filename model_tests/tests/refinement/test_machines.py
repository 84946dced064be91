"""The machines of queues, tasks and futures, on impl, asyncio and bridges; and the mutants that they must catch."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from impl.bridges.asyncio.loop import SimEventLoop
from impl.bridges.on_asyncio import names

from ...conformance.subjects.subject import SubjectNames
from ...implementations.checks import machine
from ...implementations.checks.machine import CAUGHT
from ...implementations.detection import Found
from ...implementations.mutant import Mutant
from ...programs.runtimes import Bridge, PurePython
from ...refinement.held import HeldRuns
from ...refinement.machines.futures import future_machine
from ...refinement.machines.queue import QueueForm, queue_machine
from ...refinement.machines.tasks import task_machine
from ...refinement.subjects import ASYNCIO, IMPL, Subject, subject_of
from ..implementations.caught_by import caught_by

STEPS = 40
#: The examples of each machine on each subject, and the steps of each.
EXAMPLES, FEWER_STEPS = 4, 20
#: The short form puts those mutants to the machines that are caught within so many examples.
QUICK = 3


SUBJECTS = [
    ASYNCIO,
    IMPL,
    subject_of("asyncio-py", asyncio, lambda: PurePython().loop, ASYNCIO.deviations),
    subject_of("bridge", SubjectNames(names), lambda: Bridge().loop),
    subject_of("simulated", asyncio, SimEventLoop, ASYNCIO.deviations),
]


Machine = Callable[[Subject], type[RuleBasedStateMachine]]
MACHINES: dict[str, Machine] = {"queue": queue_machine, "task": task_machine, "future": future_machine}
HELD = [HeldRuns(of, tuple(each.name for each in SUBJECTS), examples=EXAMPLES) for of in MACHINES]


def agrees(machine: type[RuleBasedStateMachine], full: bool) -> None:
    examples, steps = (1000, STEPS) if full else (EXAMPLES, FEWER_STEPS)
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=steps))


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
@pytest.mark.parametrize("machine", MACHINES.values())
def test_agrees(machine: Machine, subject: Subject, full: bool) -> None:
    agrees(machine(subject), full)


@pytest.mark.parametrize("subject", [
    pytest.param(ASYNCIO, marks=pytest.mark.long("impl is held to them")),
    IMPL,
], ids=["asyncio", "impl"])  # fmt: skip
@pytest.mark.parametrize("form", [QueueForm.SHUT, QueueForm.LIFO, QueueForm.LEAST], ids=lambda form: form.name.lower())
def test_queues_of_other_forms_agree(form: QueueForm, subject: Subject, full: bool) -> None:
    """QUEUE-28 to QUEUE-32."""
    if form is QueueForm.SHUT and subject.queue_shut is None:
        pytest.skip("its queues cannot be shut down")
    agrees(queue_machine(subject, form), full)


@caught_by("machine", *machine.MACHINES)
def test_mutant_is_caught(mutant: Mutant, found: Found, full: bool) -> None:
    if found["examples"] > QUICK and not full:
        pytest.skip("it takes many examples: --full")
    assert machine.again(mutant, found)


@pytest.mark.skipif(not ASYNCIO.deviations, reason="this version of asyncio has no known deviation")
def test_known_deviation_of_asyncio_is_still_there() -> None:
    """A machine without named deviations finds the known ones of asyncio."""
    as_it_is = replace(ASYNCIO, name="asyncio_as_it_is", deviations=frozenset())
    once = settings(max_examples=300, stateful_step_count=STEPS, phases=[Phase.generate], report_multiple_bugs=False)
    with pytest.raises(CAUGHT):
        run_state_machine_as_test(task_machine(as_it_is), settings=once)
