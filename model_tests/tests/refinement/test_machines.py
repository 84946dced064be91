"""The machines of Queue and of Future/Task/cancel, on impl and on asyncio; and the mutants that they must catch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from spec.kit.monitor import Rejected

from ...museum.mutants import MUTANTS, Mutant
from ...refinement.machines.outcomes import Failure
from ...refinement.machines.queue import queue_machine
from ...refinement.machines.tasks import task_machine
from ...refinement.subjects import ASYNCIO, IMPL, Subject

STEPS = 40
MUTANT_EXAMPLES = 300

# What a machine raises when it catches a subject: its own verdict, or what the subject let out where it may not.
CAUGHT = (AssertionError, Failure, Rejected)


@pytest.mark.parametrize("subject", [ASYNCIO, IMPL], ids=lambda subject: subject.name)
@pytest.mark.parametrize("machine", [queue_machine, task_machine])
def test_agrees_with_what_it_is_held_to(
    machine: Callable[[Subject], type[RuleBasedStateMachine]], subject: Subject, full: bool
) -> None:
    examples = 5000 if full else 50
    run_state_machine_as_test(
        machine(subject), settings=settings(max_examples=examples, stateful_step_count=STEPS)
    )


def assert_caught(machine: type[RuleBasedStateMachine], what: str) -> None:
    """`machine` fails; `what` says which defect would else have passed."""
    try:
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=MUTANT_EXAMPLES,
                stateful_step_count=STEPS,
                phases=[Phase.generate],  # whether it is found is asked here, not how small
                report_multiple_bugs=False,
            ),
        )
    except CAUGHT:
        return
    pytest.fail(f"{machine.__name__} passes, in spite of {what}")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.subject.name}-{mutant.rule}")
def test_mutant_is_caught(mutant: Mutant, full: bool) -> None:
    if mutant.rule == "QUEUE-21" and not full:
        pytest.skip("random rules take long to find it, directed schedules do not: --full")
    assert_caught(mutant.machine(mutant.subject), f"a defect against {mutant.rule} (met: {mutant.met})")


@pytest.mark.skipif(not ASYNCIO.deviations, reason="this version of asyncio has no known deviation")
def test_known_deviation_of_asyncio_is_still_there() -> None:
    """What is left out under a name would be found."""
    as_it_is = replace(ASYNCIO, name="asyncio_as_it_is", deviations=frozenset())
    assert_caught(task_machine(as_it_is), "; ".join(deviation.value for deviation in ASYNCIO.deviations))
