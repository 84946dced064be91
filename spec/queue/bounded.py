"""The bounded models of the queue, with pinned counts; and the mutants that the check must refute.

To add one, append it to QUEUE: first come the models that hold every property, then the mutants.  The check prints
the counts of a model that is not pinned.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ..kit.bounded import Counts, Holds, Instance, failing
from ..kit.core import Spec
from ..kit.model import Model
from . import mutants
from .models import queue_model
from .specification import Const, Order, Queue, queue


def queues(
    tasks: int,
    maxsize: int,
    puts: int,
    counts: tuple[int, int, int],
    *,
    items: int = 1,
    order: Order = Order.FIFO,
    shuts: bool = False,
    symmetric: bool = False,
    live: bool = False,
    claim: str = "",
) -> Holds:
    """The queue in one size; `counts`: states, edges, depth."""
    title = f"tasks {tasks}, maxsize {maxsize}, puts {puts}, kinds of item {items}"
    title += f", {order}" * (order != Order.FIFO) + ", shut down" * shuts
    title += ", up to renaming of tasks" * symmetric
    new = partial(queue_model, tasks, maxsize, puts, items=items, order=order, shuts=shuts)
    return Holds(
        queue,
        title,
        lambda: [new(symmetric=symmetric, withdraws=not live)],
        Counts(1, *counts),
        live=live,
        claim=claim,
    )


def mutant_model(spec: Spec[Const, Queue], **size: Any) -> Model[Const, Queue]:  # Any: as in `queue_model`
    """The model of a mutant; a leads-to property is asked where no request is taken back."""
    return queue_model(**size, spec=spec, withdraws=not spec.progress)


queue_mutant = failing(queue, mutant_model, mutants.MUTANTS | mutants.OTHERS, tasks=3, maxsize=1, puts=2)


QUEUE: list[Instance] = [
    queues(1, 0, 2, (113, 306, 8), items=2, claim="the smallest, which the tutorial shows"),
    queues(
        2,
        1,
        2,
        (2_028, 8_500, 10),
        items=2,
        live=True,
        claim="comes_to_rest is checked where no queue is shut down",
    ),
    queues(3, 1, 3, (4_365, 32_644, 15), symmetric=True),
    queues(1, 0, 2, (256, 872, 8), items=2, order=Order.LIFO, shuts=True),
    queues(1, 0, 3, (1_048, 3_608, 11), items=2, order=Order.LEAST, shuts=True),
    queues(2, 1, 2, (980, 5_084, 10), shuts=True, live=True),
    queues(3, 1, 1, (454, 4_048, 9), symmetric=True, shuts=True),
    queue_mutant("no_lost_getter", 5),
    queue_mutant("no_lost_getter", 4, other=1),
    queue_mutant("no_lost_putter", 3),
    queue_mutant("last_item_releases_join", 3),
    queue_mutant("last_item_releases_join", 3, other=1, shuts=True),
    queue_mutant("no_put_after_shutdown", 4, tasks=2, shuts=True),
    queue_mutant("no_put_after_shutdown", 2, other=1, tasks=1, shuts=True),
    queue_mutant("get_returns_while_items_remain", 3, tasks=1, shuts=True),
    queue_mutant("only_immediate_shutdown_drains", 2, tasks=1, shuts=True),
    queue_mutant("only_immediate_shutdown_drains", 2, other=1, tasks=1, shuts=True),
    queue_mutant("only_immediate_shutdown_drains", 1, other=2, tasks=1, shuts=True),
    queue_mutant("only_immediate_shutdown_drains", 2, other=3, tasks=1, shuts=True),
    queue_mutant("let_go", 3, tasks=3, shuts=True),
    queue_mutant("let_go", 2, other=1, tasks=2, shuts=True),
    queue_mutant("at_most_maxsize_items", 2),
    queue_mutant("empty_handed", 5),
    queue_mutant("empty_handed", 4, other=1, tasks=2),
    queue_mutant("only_waiters_have_signals", 3, tasks=1),
    queue_mutant("only_waiters_have_signals", 4, other=1, tasks=1),
    queue_mutant("leaves_only_when_served", 3, tasks=2),
    queue_mutant("leaves_only_when_served", 4, other=1, tasks=2, shuts=True),
    queue_mutant("leaves_only_when_served", 4, other=2, tasks=2),
    queue_mutant("leaves_only_when_served", 3, other=3, tasks=1),
    queue_mutant("leaves_only_when_served", 4, other=4, tasks=2),
    queue_mutant("leaves_only_when_served", 5, other=5, tasks=2, shuts=True),
    queue_mutant("leaves_only_when_served", 4, other=6, tasks=2, shuts=True),
    queue_mutant("first_in_first_out", 3, maxsize=2, items=2),
    queue_mutant("last_in_first_out", 2, tasks=1, maxsize=2, items=2, order=Order.LIFO),
    queue_mutant("last_in_first_out", 2, other=1, tasks=1, maxsize=2, items=2, order=Order.LIFO),
    queue_mutant("last_in_first_out", 2, other=2, tasks=1, maxsize=2, items=2, order=Order.LIFO),
    queue_mutant("last_in_first_out", 3, other=3, tasks=1, maxsize=2, items=2, order=Order.LIFO),
    queue_mutant("least_first", 3, tasks=1, maxsize=2, items=2, order=Order.LEAST),
    queue_mutant("unfinished_items_are_conserved", 1),
    queue_mutant("oldest_first", 3),
    queue_mutant("for_a_reason", 6),
    queue_mutant("for_a_reason", 3, other=1, tasks=2, puts=3),
    queue_mutant("join_waits", 1),
    queue_mutant("join_waits_if_unfinished", 2, tasks=1),
    queue_mutant("never_negative", 1, tasks=1),
    queue_mutant("lined_up", 3),
    queue_mutant("puts_within_limit", 3, maxsize=0),
    queue_mutant("task_done_reports_one_item", 5, tasks=1, maxsize=2),
    queue_mutant("task_done_reports_one_item", 2, other=1, tasks=1),
    queue_mutant("cancel_ends_the_wait", 3, tasks=2),
    queue_mutant("cancel_ends_the_wait", 2, other=1, tasks=2),
    queue_mutant("cancel_ends_the_wait", 1, other=2, tasks=1),
    queue_mutant("frame", 3),
    queue_mutant("allowed", 2, tasks=1),
    queue_mutant("allowed", 0, other=1, tasks=1),
    queue_mutant("get_returns_while_items_remain", 2, other=1, tasks=1),
    queue_mutant("comes_to_rest", 2, tasks=2),
    queue_mutant("comes_to_rest", 2, other=1, tasks=2),
]
