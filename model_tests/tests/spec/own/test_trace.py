"""`loopspec check NAME --trace PROPERTY`: a shortest run that breaks it, or else one that exercises it."""

from __future__ import annotations

from pathlib import Path

import pytest

from spec.commands import check
from spec.kit.witness import witness
from spec.queue import queue, queue_model

from ....commands import cli
from ....programs.tables import texts
from ...fixtures import Captured

DOOR = texts(Path(__file__).with_name("files.txt"))["door.py: for traces"]


@pytest.fixture(autouse=True)
def door(here: None) -> None:
    Path("door.py").write_text(DOOR, encoding="utf-8")


def traced(capsys: Captured, name: str, target: str = "door.py", status: int = 0) -> list[str]:
    assert check.main([target, "--trace", name]) == status
    out, err = capsys.readouterr()
    assert (err.count("\n"), out == "") == ((1, True) if status == 2 else (0, False))
    return (out + err).splitlines()


BROKEN = """\
door: closed (DOOR-3): A locked door is closed.
It must fail in a wrong text; a shortest run that breaks it:
door: soon: closed (DOOR-3) is broken after 2 steps
   0  init         open=False  locked=False  age=0
   1  move()       open: False -> True  age: 0 -> 1
   2  lock_open()  locked: False -> True  age: 1 -> 2
"""


@pytest.mark.parametrize(
    ("name", "before", "told"),
    [
        ("closed", 0, BROKEN),
        ("DOOR-3", 0, BROKEN),
        # No wrong text breaks it, or its own wrong text does not.
        (
            "open_young",
            1,
            """\
No wrong text breaks it; a shortest run of the specification that exercises it:
door: open_young holds after 1 step
   0  init    open=False  locked=False  age=0
   1  move()  open: False -> True  age: 0 -> 1
""",
        ),
        # A property of a step: a step of its action.
        (
            "moves",
            2,
            """\
door: moves holds after 2 steps
   0  init    open=False  locked=False  age=0
   1  move()  open: False -> True  age: 0 -> 1
   2  move()  open: True -> False  age: 1 -> 2
""",
        ),
        # Without a condition, the start; of a leads-to property, the state that owes it.
        ("grows", 2, "door: grows holds after 0 steps\n   0  init  open=False  locked=False  age=0\n"),
        ("ages", 2, "door: ages is owed after 0 steps\n   0  init  open=False  locked=False  age=0\n"),
    ],
)
def test_the_trace_is_a_shortest_run(name: str, before: int, told: str, capsys: Captured) -> None:
    """`before`: how many of the first lines another case shows."""
    assert traced(capsys, name)[before:] == told.splitlines()


def test_a_condition_that_is_never_met_is_reported(capsys: Captured) -> None:
    *_, start, missed = traced(capsys, "impossible")
    assert start == "   0  init  open=False  locked=False  age=0"
    assert missed.startswith("not exercised (small): door.py:")
    assert missed.endswith(": impossible: `s.open` is never evaluated")


def test_a_search_that_is_cut_says_so() -> None:
    model = queue_model(2, 1, 2)
    assert witness(model, queue.properties["leaves_only_when_served"], most=3).cut
    assert not witness(queue_model(1, 1, 1), queue.properties["at_most_maxsize_items"]).cut


def test_a_leads_to_property_that_no_state_owes_has_no_trace(capsys: Captured) -> None:
    (told,) = traced(capsys, "closes", status=1)[1:]
    assert told == "No wrong text breaks it, and no state exercises it (small)."


@pytest.mark.parametrize(("name", "told"), [
    ("stays", "stays (DOOR-9) need not come: after 1 step"),
    ("unlocked", "unlocked (DOOR-11) is broken after 1 step"),
])  # fmt: skip
def test_a_property_that_the_text_breaks_does_not_hold(name: str, told: str, capsys: Captured) -> None:
    text = DOOR.replace(
        "def model(",
        '@door.invariant\ndef unlocked(k, s):\n    """DOOR-11: No."""\n    return not s.locked\n\ndef model(',
    )
    Path("door.py").write_text(text, encoding="utf-8")
    _, said, head, *_ = traced(capsys, name, status=1)
    assert said == "The specification itself breaks it; a shortest run:"
    assert head.startswith(f"door: {told}")


def test_a_deadlock_has_a_trace_too(capsys: Captured) -> None:
    first, head, *_ = traced(capsys, "deadlock")
    assert first == "It must fail in a wrong text; a shortest run that breaks it:"
    assert head == "door: deadlock is reached after 1 step"


def test_the_trace_of_a_shipped_property(capsys: Captured) -> None:
    told = traced(capsys, "QUEUE-2", "queue")
    assert told[1:3] == [
        "It must fail in a wrong text; a shortest run that breaks it:",
        "queue: a put does not check for room: at_most_maxsize_items (QUEUE-2) is broken after 2 steps",
    ]


@pytest.mark.parametrize(("name", "told"), [
    ("shut", "--trace: there is no property 'shut'; there are: closed, open_young, "),
    ("refinement", "no instance shows that refinement can fail, so there is no trace of it"),
])  # fmt: skip
def test_what_is_no_property_is_one_line(name: str, told: str, capsys: Captured) -> None:
    [line] = traced(capsys, name, status=2)
    assert line.startswith(f"loopspec check: {told}")


def test_a_trace_is_of_one_specification(capsys: Captured) -> None:
    assert check.main(["--trace", "at_most_maxsize_items"]) == 2
    assert capsys.readouterr().err == "loopspec check: --trace: name the specification or the file, too\n"


def test_an_error_in_the_file_is_reported_with_its_place(capsys: Captured) -> None:
    text = DOOR.replace("return not s.open or s.age > 0", "return s.size > 0")
    Path("door.py").write_text(text, encoding="utf-8")
    assert check.main(["door.py", "--trace", "moves"]) == 0
    capsys.readouterr()
    assert check.main(["door.py", "--trace", "open_young"]) == 2
    assert "door.py:32: AttributeError: 'Door' object has no attribute 'size'" in capsys.readouterr().err


def test_a_trace_draws_nothing(capsys: Captured) -> None:
    assert cli.main(["check", "queue", "--trace", "first_in_first_out", "--html", "never.html"]) == 2
    assert "--trace draws nothing: leave out --html" in capsys.readouterr().err
