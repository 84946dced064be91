"""The bounded models of a stream: with pinned counts; and mutants that the check must refute."""

from __future__ import annotations

from ..kit.bounded import Counts, Fails, Holds, Instance, only
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
    symmetric: bool = False,
    live: bool = False,
    full: bool = False,
) -> Holds:
    """A stream in one size; `counts`: states, edges, depth."""
    title = f"tasks {tasks}, capacity {capacity}, bytes {total}, kinds of byte {kinds}, calls of up to {size}"
    return Holds(
        stream,
        title + (", a faulty network" if faulty else "") + (", up to renaming of tasks" if symmetric else ""),
        lambda: [
            stream_model(tasks, capacity, total, kinds=kinds, size=size, faulty=faulty, symmetric=symmetric)
        ],
        Counts(1, *counts),
        live=live,
        full=full,
    )


def wrong_stream(
    broken: str, depth: int, *, tasks: int = 2, capacity: int = 1, kinds: int = 1, size: int = 1
) -> Fails:
    """A stream with the error that breaks this property."""
    spec = only(mutants.MISTAKES[broken], broken)
    return Fails(
        stream,
        spec.name,
        lambda: stream_model(tasks, capacity, 2, kinds=kinds, size=size, spec=spec),
        broken,
        depth,
    )


STREAM: list[Instance] = [
    streams(1, 2, 2, (3_526, 17_679, 12), kinds=2),
    streams(2, 1, 1, (2_034, 21_875, 12), size=1, faulty=True, live=True),
    streams(2, 1, 2, (3_416, 34_289, 14), live=True),
    streams(2, 3, 4, (5_795, 60_019, 22), size=1, symmetric=True),
    streams(3, 1, 2, (3_407, 57_516, 16), size=1, faulty=True, symmetric=True),
    wrong_stream("in_order", 2, capacity=2, kinds=2, size=2),
    wrong_stream("nothing_lost", 2),
    wrong_stream("bounded", 1, size=2),
    wrong_stream("end_last", 3),
    wrong_stream("no_lost_receiver", 3),
    wrong_stream("no_lost_sender", 4, size=2),
    wrong_stream("one_each", 2),
    wrong_stream("clean", 3),
    wrong_stream("reset_for_a_reason", 3),
    wrong_stream("cancel_takes_nothing", 5),
    wrong_stream("served", 3),
    wrong_stream("nothing_after_the_end", 2),
    wrong_stream("for_good", 3),
    wrong_stream("answered", 2, tasks=1),
    wrong_stream("told_of_room", 4),
    wrong_stream("end_arrives", 1, tasks=1),
    wrong_stream("reset_arrives", 1, tasks=1),
    wrong_stream("comes_to_rest", 2, tasks=1),
    streams(2, 3, 4, (9_543, 106_363, 18), symmetric=True, full=True),
    streams(2, 2, 3, (26_746, 295_633, 16), kinds=2, symmetric=True, full=True),
    streams(3, 2, 3, (15_219, 290_427, 18), faulty=True, symmetric=True, full=True),
]
