"""The bounded models of a stream, with pinned counts; and the mutants that the check must refute."""

from __future__ import annotations

from ..kit.bounded import Counts, Holds, Instance, failing
from . import mutants
from .models import stream_model
from .specification import stream


def streams(
    tasks: int,
    capacity: int,
    total: int,
    counts: tuple[int, int, int],
    *,
    kinds: int = 1,
    size: int = 2,
    faulty: bool = False,
    live: bool = False,
    claim: str = "",
) -> Holds:
    """A stream in one size; `counts`: states, edges, depth."""
    title = f"tasks {tasks}, capacity {capacity}, bytes {total}, kinds of byte {kinds}, calls of up to {size}"
    return Holds(
        stream,
        title + (", a faulty network" if faulty else ""),
        lambda: [stream_model(tasks, capacity, total, kinds=kinds, size=size, faulty=faulty)],
        Counts(1, *counts),
        live=live,
        claim=claim,
    )


stream_mutant = failing(stream, stream_model, mutants.MUTANTS | mutants.OTHERS, tasks=2, capacity=1, total=2, size=1)


STREAM: list[Instance] = [
    streams(1, 2, 2, (3_526, 17_679, 12), kinds=2, claim="the order of bytes is seen with two kinds only"),
    streams(1, 2, 3, (1_899, 9_588, 16), live=True),
    streams(2, 1, 1, (2_034, 21_875, 12), size=1, faulty=True, live=True),
    streams(2, 1, 2, (3_416, 34_289, 14), live=True),
    stream_mutant("in_order", 2, capacity=2, kinds=2, size=2),
    stream_mutant("nothing_lost", 2),
    stream_mutant("in_flight_fits_the_buffer", 1, size=2),
    stream_mutant("in_flight_fits_the_buffer", 1, other=1, tasks=1),
    stream_mutant("end_last", 3),
    stream_mutant("end_last", 1, other=1, tasks=1),
    stream_mutant("none_after_the_end", 2, size=2),
    stream_mutant("no_lost_receiver", 3),
    stream_mutant("no_lost_receiver", 3, other=1, tasks=1),
    stream_mutant("no_lost_receiver", 3, other=2),
    stream_mutant("no_lost_sender", 1, tasks=1),
    stream_mutant("no_lost_sender", 3, other=1, size=2),
    stream_mutant("one_each", 3, tasks=3, total=3),
    stream_mutant("only_waiters_have_signals", 3, tasks=1),
    stream_mutant("only_waiters_have_signals", 3, other=1, tasks=1),
    stream_mutant("only_waiters_have_signals", 3, other=2, tasks=1),
    stream_mutant("only_waiters_have_signals", 3, other=3, tasks=1, size=2),
    stream_mutant("reset_for_a_reason", 3),
    stream_mutant("reset_for_a_reason", 3, other=1),
    stream_mutant("reset_for_a_reason", 3, other=2, tasks=1),
    stream_mutant("cancel_takes_nothing", 5),
    stream_mutant("cancel_takes_nothing", 3, other=1, tasks=1, size=2),
    stream_mutant("leaves_only_when_served", 3),
    stream_mutant("leaves_only_when_served", 3, other=1, size=2),
    stream_mutant("nothing_after_the_end", 2, tasks=1, capacity=2),
    stream_mutant("for_good", 3),
    stream_mutant("for_good", 3, other=1, tasks=1),
    stream_mutant("for_good", 2, other=2, tasks=1),
    stream_mutant("for_good", 3, other=3, tasks=1),
    stream_mutant("for_good", 3, other=4, tasks=1),
    stream_mutant("reset_arrives_once", 2, tasks=1),
    stream_mutant("reset_arrives_once", 1, other=1, tasks=1),
    stream_mutant("on_the_way", 2, tasks=1),
    stream_mutant("on_the_way", 3, other=1, tasks=1),
    stream_mutant("both_reset", 1, tasks=1, faulty=True),
    stream_mutant("both_reset", 3, other=1, tasks=1, faulty=True),
    stream_mutant("end_at_an_open_end", 3, tasks=1),
    stream_mutant("of_use", 5, tasks=1),
    stream_mutant("at_most", 4, capacity=2, size=2),
    stream_mutant("at_most_later", 5, capacity=2, size=2),
    stream_mutant("resets_with_bytes", 1, tasks=1),
    stream_mutant("resets_at_once", 1, tasks=1),
    stream_mutant("resets_at_once", 3, other=1, tasks=1),
    stream_mutant("resets_at_once", 2, other=2, tasks=1, size=2),
    stream_mutant("at_its_end", 2, tasks=1),
    stream_mutant("close_closes_its_end", 3, tasks=1),
    stream_mutant("close_closes_its_end", 2, other=1, tasks=1, size=2),
    stream_mutant("ends_the_data", 1, tasks=1),
    stream_mutant("ends_the_data", 1, other=1, tasks=1),
    stream_mutant("sends_within_limit", 2, tasks=1, capacity=3, size=2),
    stream_mutant("allowed", 0, tasks=1),
    stream_mutant("frame", 1, tasks=1),
    stream_mutant("receive_returns", 2, tasks=1),
    stream_mutant("receive_returns", 2, other=1),
    stream_mutant("receive_returns", 2, other=2, tasks=2),
    stream_mutant("woken_for_room", 4),
    stream_mutant("woken_for_room", 5, other=1, tasks=1, capacity=2, total=3, size=2),
    stream_mutant("end_arrives", 1, tasks=1),
    stream_mutant("reset_arrives", 1, tasks=1),
    stream_mutant("comes_to_rest", 2, tasks=1),
]
