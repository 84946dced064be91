"""Streams of impl against `spec.stream`: directed schedules, generated machines, real sockets; and wrong streams."""

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from impl import Choices
from spec.kit.model import Model
from spec.kit.trace import Line, Return
from spec.stream import Const, Said, Stream

from ...implementations.checks import machine, monitor
from ...implementations.checks.monitor import ROOMY
from ...implementations.detection import Found
from ...implementations.mutant import Mutant
from ...refinement.held import HeldRuns
from ...refinement.machines.stream import MODELS, real_stream_adapter, stream_adapter, stream_machine
from ...refinement.schedules.drive import Driver
from ...refinement.schedules.stream import GAP_MOST, schedules
from ..implementations.caught_by import caught_by

STEPS = 30
#: The short form: the steps, and the examples of the machine on a network without and with faults.
FEWER_STEPS = 20
EXAMPLES = {False: 12, True: 4}
#: The most turns between two moves of a schedule, by the capacity of a stream.
GAPS = {1: 3, 2: GAP_MOST, 3: 3}
HELD = [
    HeldRuns("stream", ("impl",), examples=sum(EXAMPLES.values()),
        traces=sum(1 for gaps in GAPS.values() for _ in schedules(gaps))),
]  # fmt: skip


def runs(model: Model[Const, Stream], gaps: int) -> Iterator[list[Line]]:
    """The lines recorded along each schedule."""
    seeds = itertools.count()
    driver = Driver(stream_adapter(lambda: Choices.seeded(next(seeds))), model)
    return (driver.run(schedule) for schedule in schedules(gaps))


@pytest.mark.parametrize("capacity", GAPS)
def test_streams_do_what_the_specification_allows(capacity: int, full: bool) -> None:
    [model] = [m for m in MODELS if m.k.capacity == capacity and not m.k.faulty]
    gaps = GAP_MOST if full else GAPS[capacity]
    answers = {line.answer for lines in runs(model, gaps) for line in lines if isinstance(line, Return)}
    assert {*Said, (), (0,), (1,)} <= answers  # each can be told


@pytest.mark.long("resets on all schedules")
def test_so_they_do_on_a_network_that_resets_connections(full: bool) -> None:
    faulty = [m for m in MODELS if m.k.faulty and (full or m.k.capacity == 2)]
    resets = sum(
        Return(0, Said.BROKEN) in lines and not any("abort" in str(line) for line in lines)
        for model in faulty
        for lines in runs(model, GAP_MOST if full else 1)
    )
    assert resets > 5


@pytest.mark.parametrize("faulty", [False, True])
def test_machines_agree(faulty: bool, full: bool) -> None:
    models = [m for m in MODELS if m.k.faulty is faulty and (full or m.k.capacity < 3 - faulty)]
    machine = stream_machine(models, lambda: Choices.seeded(1))
    examples = 1_000 // (1 + 3 * faulty) if full else EXAMPLES[faulty]
    steps = STEPS if full else FEWER_STEPS
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=steps))


@caught_by("machine", "Stream", "Conn")
def test_a_machine_catches_a_wrong_stream(mutant: Mutant, found: Found, full: bool) -> None:
    if not (full or mutant.name == "StreamRoomWakesNothing"):
        pytest.skip("one of them in the short form: --full")
    assert machine.again(mutant, found)


def test_streams_on_real_sockets_do_what_the_specification_allows(full: bool) -> None:
    driver = Driver(real_stream_adapter(), ROOMY)
    lines = [line for schedule in schedules(GAP_MOST if full else 1) for line in driver.run(schedule)]
    answers = {line.answer for line in lines if isinstance(line, Return)}
    assert {*Said, (), (0, 1)} <= answers


@caught_by("monitor", "Stream", "Conn")
def test_a_wrong_stream_is_rejected(mutant: Mutant, found: Found) -> None:
    assert monitor.again(mutant, found)


@caught_by("sockets")
def test_a_wrong_stream_is_rejected_on_real_sockets(mutant: Mutant, found: Found) -> None:
    assert monitor.again_on_sockets(mutant, found)
