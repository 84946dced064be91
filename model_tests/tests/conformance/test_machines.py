"""The finding of a state machine names the rules that make the specification reject the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from ...conformance.findings.finding import Rejection
from ...conformance.judge import State
from ...conformance.kit import Kit
from ...conformance.process import Process
from ...conformance.report import Report
from ...implementations.rows import implementations

EXAMPLE = Path(__file__).parents[2] / "examples" / "subjects" / "queue_holds_one_more.py"


def reported(subject: object, machine: str) -> tuple[Rejection, Report]:
    with Process(str(subject)) as process:
        kit = Kit(process, (), documented=False)
        failure = process.machine(machine, 30)
        assert failure is not None
        return failure, kit.report([failure])


@pytest.mark.long("it shrinks for ten seconds")
def test_a_rejected_state_breaks_the_rule_of_the_action_before_it() -> None:
    failure, report = reported(EXAMPLE, "queues")
    assert failure.rules == ("QUEUE-25",)  # put_nowait on a full queue
    assert "what is seen of the state" in failure.text
    (broken,) = report.of(State.BROKEN)
    assert (broken.rule, broken.why) == ("QUEUE-25", "the state machine of queues fails")
    assert report.status == 1
    assert "the state machine of queues fails: QUEUE-25" in report.text()
    assert "state machine of queues" in report.junit()


@pytest.mark.long("it shrinks for ten seconds")
def test_a_wake_up_that_is_due_breaks_its_rule() -> None:
    with implementations()["wrong/queues/WakesNoPutter"].subject() as subject:
        failure, report = reported(subject, "queues")
    assert failure.rules == ("QUEUE-12", "QUEUE-13")  # a putter waits for room, and is woken by it
    assert "still due: put_resume" in failure.text
    assert {verdict.rule for verdict in report.of(State.BROKEN)} == set(failure.rules)
