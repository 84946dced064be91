"""The bounded models of the creation of tasks, with pinned counts; and the mutants that the check must refute."""

from __future__ import annotations

from ..kit.bounded import Counts, Holds, Instance, failing
from . import mutants
from .models import creation_model
from .specification import creation


def births(tasks: int, counts: tuple[int, int, int], *, eager: bool) -> Holds:
    """A loop of one kind; `counts`: states, edges, depth."""
    title = f"tasks {tasks}, eager start" if eager else f"tasks {tasks}"
    return Holds(creation, title, lambda: [creation_model(tasks, eager=eager)], Counts(1, *counts))


creation_mutant = failing(creation, creation_model, mutants.MUTANTS, tasks=2, eager=True)


CREATION: list[Instance] = [
    births(3, (351, 1_620, 10), eager=False),
    births(3, (393, 1_830, 10), eager=True),
    creation_mutant("running_steps_are_nested", 3),
    creation_mutant("begins_once", 3, eager=False),
    creation_mutant("begins_once", 1, mutants.DONE, eager=False),
    creation_mutant("never_begun", 4, eager=False),
    creation_mutant("never_begun", 3, mutants.LATE),
    creation_mutant("none_without_loop", 2),
    creation_mutant("created_once_done_once", 1, mutants.DONE, eager=False),
    creation_mutant("created_once_done_once", 4),
    creation_mutant("created_once_done_once", 3, mutants.VANISHING),
    creation_mutant("created_once_done_once", 2, mutants.VANISHED, eager=False),
    creation_mutant("from_the_loop", 4),
    creation_mutant("first_step_in_later_turn", 2, eager=False),
    creation_mutant("first_step_in_later_turn", 1, mutants.DONE, eager=False),
    creation_mutant("first_step_in_later_turn", 1, mutants.MARKED, eager=False),
    creation_mutant("first_step_in_later_turn", 1, mutants.GIVING, eager=False),
    creation_mutant("first_step_in_later_turn", 2, mutants.REPEATED, eager=False),
    creation_mutant("at_once", 2, mutants.ASIDE),
    creation_mutant("at_once", 3),
    creation_mutant("at_once", 3, mutants.MUTANTS["running_steps_are_nested"]),
    creation_mutant("at_once", 2, mutants.UNMARKED),
    creation_mutant("only_due_tasks_get_steps", 2, eager=False),
    creation_mutant("only_due_tasks_get_steps", 3, mutants.ABSENT),
    creation_mutant("ended_unbegun", 4, mutants.UNENDED, eager=False),
    creation_mutant("ended_unbegun", 3, eager=False),
    creation_mutant("goes_on", 4),
    creation_mutant("goes_on", 2, mutants.IDLE),
    creation_mutant("comes_again", 3),
    creation_mutant("is_done", 3),
    creation_mutant("cancelled_early", 2, eager=False),
    creation_mutant("cancelled_early", 3, mutants.BACK, eager=False),
    creation_mutant("stopped_loop_starts", 1),
    creation_mutant("stopped_loop_starts", 2, mutants.TWICE),
    creation_mutant("frame", 2, eager=False),
    creation_mutant("allowed", 1),
    creation_mutant("first_step_in_later_turn", 1, mutants.STARTING),
    creation_mutant("cancelled_early", 1, mutants.CREATING),
    creation_mutant("cancelled_early", 2, mutants.BEGINNING, eager=False),
]
