"""Streams of impl against `spec.stream`: directed schedules, generated machines, real sockets; and wrong streams."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from impl import Choices
from spec.kit.model import Model
from spec.kit.monitor import Rejected
from spec.kit.trace import Line, Return
from spec.stream import Const, Said, Stream, stream_model

from ...museum.wrong_streams import SPECIMENS, EndInSilence, Specimen
from ...refinement.machines.real_stream import real_stream_adapter
from ...refinement.machines.stream import MODELS, TOTAL, stream_adapter, stream_machine
from ...refinement.schedules.drive import Driver
from ...refinement.schedules.stream import GAP_MOST, schedules

#: The wrong streams that real sockets, on which no sender waits and nothing is late, give away too.
ON_REAL_SOCKETS = {
    "ClosesInSilence",
    "LetsTwoReceive",
    "TakesAResetForTheEnd",
    "AbortsGently",
    "SendsAfterTheEnd",
}
STEPS = 30

ROOMY = stream_model(3, TOTAL, TOTAL, kinds=2)
WIDER = next(m for m in MODELS if m.k.capacity == 2 and not m.k.faulty)


def seeds() -> Iterator[Choices]:
    """The choices of one run after the other."""
    seed = 0
    while True:
        yield Choices.seeded(seed)
        seed += 1


def runs(model: Model[Const, Stream], gaps: int) -> Iterator[list[Line]]:
    """What is recorded along each schedule."""
    choices = seeds()
    driver = Driver(stream_adapter(lambda: next(choices)), model)
    return (driver.run(schedule) for schedule in schedules(gaps))


@pytest.mark.parametrize("capacity", [1, 2, 3])
def test_streams_do_what_the_specification_allows(capacity: int, full: bool) -> None:
    [model] = [m for m in MODELS if m.k.capacity == capacity and not m.k.faulty]
    gaps = GAP_MOST if full or capacity == 2 else 3
    answers = {line.answer for lines in runs(model, gaps) for line in lines if isinstance(line, Return)}
    assert {*Said, (), (0,), (1,)} <= answers  # each can be told


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
    examples = (1_000 if full else 60) // (1 + 3 * faulty)
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=STEPS))


def test_a_machine_catches_a_wrong_stream() -> None:
    machine = stream_machine([WIDER], Choices.plain, Specimen(EndInSilence, "STREAM-5"))
    with pytest.raises(Rejected):
        run_state_machine_as_test(
            machine,
            settings=settings(max_examples=300, stateful_step_count=STEPS, phases=[Phase.generate]),
        )


def test_streams_on_real_sockets_do_what_the_specification_allows(full: bool) -> None:
    driver = Driver(real_stream_adapter(), ROOMY)
    answers = {
        line.answer
        for schedule in schedules(GAP_MOST if full else 1)
        for line in driver.run(schedule)
        if isinstance(line, Return)
    }
    assert {*Said, (), (0, 1)} <= answers


def rejected_after(driver: Driver) -> int:
    """How many schedules are allowed before the first that is not."""
    for number, schedule in enumerate(schedules()):
        try:
            driver.run(schedule)
        except Rejected:
            return number
    pytest.fail("every schedule is allowed")


@pytest.mark.parametrize("specimen", SPECIMENS, ids=lambda specimen: specimen.wrong.__name__)
def test_a_wrong_stream_is_rejected(specimen: Specimen) -> None:
    assert rejected_after(Driver(stream_adapter(Choices.plain, specimen), WIDER)) < 100


@pytest.mark.parametrize(
    "specimen",
    [specimen for specimen in SPECIMENS if specimen.wrong.__name__ in ON_REAL_SOCKETS],
    ids=lambda specimen: specimen.wrong.__name__,
)
def test_a_wrong_stream_is_rejected_on_real_sockets(specimen: Specimen) -> None:
    assert rejected_after(Driver(real_stream_adapter(specimen), ROOMY)) < 20
