"""`check_implementation(instance)`: check, monitor and machine for a bounded model of your own, in one call.

A bounded model of any specification gets three tests:

    check      every state of its models is visited, with all properties; without a symmetry, also leads-to properties
    monitor    real runs of an implementation are recorded, and must be runs that the models allow
    machine    a machine made from the models drives the implementation at random, and shrinks a failing run

The shipped specification that it derives from determines the implementation (`implementations.py`).  One that derives
from none needs code of yours: `make=object_adapter(...)`, see `machines/objects.py`.
"""

from __future__ import annotations

import warnings
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from spec.kit.bounded import Counts, Holds
from spec.kit.core import SpecError
from spec.kit.instances import plus, search
from spec.kit.model import Model

from .implementations import implementation_of
from .machines.adapter import Make
from .machines.generator import SpecMachine, machine
from .repeatable import repeatable

# Any in this file: constants and states of any text.

#: An example of a machine has so many steps.
STEPS = 40


class HelperTaskWarning(UserWarning):
    """A task that a call created outlives it: a helper that was forgotten, or a background task."""


def check_implementation(what: Holds | Model[Any, Any], *, make: Make | None = None, examples: int = 100) -> None:
    """Check an instance, or a model, and hold an implementation to it; prints a line for each of the three tests.

    `make`: makes the implementation under test, in the place of the reference, if there is one; a crawl that is
    recorded is always one of the reference.  `examples`: so many examples of the machine.

    Raises Violation, with the shortest trace; Rejected, with the recorded run beside the allowed lines and, in its
    notes, the run of the machine as a program; LimitError; SpecError for a text that nothing implements, and for an
    action that is not implemented.
    """
    if not isinstance(what, Holds | Model):
        raise SpecError(f"check_implementation: {what!r} is neither a model nor an instance: give a Model or a Holds")
    instance = Holds(what.original, "", lambda: [what]) if isinstance(what, Model) else what
    reference = implementation_of(instance.spec, make)
    make = make or reference.make
    models = [reference.unbound(model) for model in instance.models()]
    driven = machine(models, make)  # an action without a method is an error at once
    counts = check(instance)
    print(f"check: {counts.states:,} states, {counts.edges:,} edges, depth {counts.depth}", flush=True)
    lines = [n for model in models for n in reference.runs(model, make)]
    print(f"monitor: {len(lines):,} runs, {sum(lines):,} lines", flush=True)
    drive(driven, examples)
    print(f"machine: {examples:,} examples", flush=True)
    for task in getattr(make, "left", ()):
        warnings.warn(
            f"a call leaves the task {task} behind: no call is in progress, and it waits.  Cancel it with the call; if"
            " it is meant to stay, ignore HelperTaskWarning",
            HelperTaskWarning,
            stacklevel=2,
        )


def check(instance: Holds) -> Counts:
    """Search every model, with all properties."""
    found = Counts(0, 0, 0, 0)
    for model in instance.models():
        found = plus(found, search(model, instance, live=model.canon is None).graph)
    return found


def drive(driven: type[SpecMachine], examples: int = 100) -> None:
    """Run a machine, with the same examples every time.

    Raises Rejected, or the error of the implementation, with the run as a program in its notes.
    """
    once = settings(
        max_examples=examples,
        stateful_step_count=STEPS,
        derandomize=True,
        database=None,
        print_blob=False,  # not needed: the examples are the same every time
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=[HealthCheck.too_slow],
        report_multiple_bugs=False,
    )
    with repeatable():
        run_state_machine_as_test(driven, settings=once)
