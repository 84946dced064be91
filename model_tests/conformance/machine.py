"""The state machines on a subject: futures, tasks and cancel by a model, queues by their specification.

The machines use a `Subject` (subjects.py), which `run` makes of a namespace.  They run the same examples each time.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from ..refinement.machines.queue import queue_machine
from ..refinement.machines.tasks import task_machine
from ..refinement.subjects import ASYNCIO, Subject
from .subject import Names

#: Makes the state machine of a subject.
Maker = Any
MACHINES: Final[dict[str, Maker]] = {"tasks": task_machine, "queues": queue_machine}
STEPS: Final = 40


def run(machine: str, namespace: ModuleType, runtime: Any, examples: int) -> None:  # Any: a Runtime class
    """Run a machine on the names of `namespace`; raise the failure that it finds."""
    names = Names(namespace)
    subject = Subject(
        name="subject",
        new_loop=lambda: runtime(namespace).loop,
        new_queue=names.Queue,
        new_lock=names.Lock,
        new_semaphore=names.Semaphore,
        new_condition=names.Condition,
        new_event=names.Event,
        sleep=names.sleep,
        shield=names.shield,
        cancelled_error=names.CancelledError,
        invalid_state=names.InvalidStateError,
        queue_empty=names.QueueEmpty,
        queue_full=names.QueueFull,
        deviations=ASYNCIO.deviations,
    )
    run_state_machine_as_test(
        MACHINES[machine](subject),
        settings=settings(
            max_examples=examples,
            stateful_step_count=STEPS,
            derandomize=True,
            database=None,
            print_blob=False,
            deadline=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
        ),
    )
