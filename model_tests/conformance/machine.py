"""The state machines, on a subject: Future, Task and cancel by a model, queues by their specification.

Theory of operation.  The machines know no runtime but a `Subject` (subjects.py); here one is made of a namespace.
They run with the same examples every time.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from ..refinement.machines.queue import queue_machine
from ..refinement.machines.tasks import task_machine
from ..refinement.subjects import ASYNCIO, subject_of
from .subject import Names

# `Any` in this file: a namespace has names of any kind.
MACHINES: Final[dict[str, Any]] = {"tasks": task_machine, "queues": queue_machine}
STEPS: Final = 40


def run(machine: str, namespace: ModuleType, runtime: Any, examples: int) -> None:
    """Run that machine on what `namespace` has; raises what it says."""
    names = Names(namespace)
    subject = subject_of("subject", names, lambda: runtime(namespace).loop, ASYNCIO.deviations)
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
