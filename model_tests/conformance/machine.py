"""The state machines on a subject: tasks, futures and queues, each held to its specification.

The machines use a `Subject` (subjects.py), which `run` makes of a namespace.  They run the same examples each time.
"""

from types import ModuleType
from typing import Any, Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from ..refinement.machines.futures import future_machine
from ..refinement.machines.queue import queue_machine
from ..refinement.machines.tasks import task_machine
from ..refinement.repeatable import repeatable
from ..refinement.subjects import ASYNCIO, subject_of
from .subjects.subject import SubjectNames

#: Makes the state machine of a subject.
Maker = Any
MACHINES: Final[dict[str, Maker]] = {
    "tasks": task_machine,
    "futures": future_machine,
    "queues": queue_machine,
}
STEPS: Final = 40


def run(machine: str, namespace: ModuleType, runtime: Any, examples: int) -> None:  # Any: a Runtime class
    """Run a machine on the names of `namespace`; raise the failure that it finds."""
    names = SubjectNames(namespace)
    subject = subject_of("subject", names, lambda: runtime(namespace).loop, ASYNCIO.deviations)
    once = settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        derandomize=True,
        database=None,
        print_blob=False,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    with repeatable():
        run_state_machine_as_test(MACHINES[machine](subject), settings=once)
