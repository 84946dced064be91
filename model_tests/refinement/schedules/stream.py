"""Schedules of a stream: any two things that can meet, with every number of turns in between.

A defect of a stream shows where two things meet: a cancel and the bytes that were to be taken, an
end and a waiting receiver, a reset and the bytes that arrived before it.  So a schedule does one thing, lets some turns
pass (a turn without anything ready moves the clock to the next arrival), does the other, and then checks the results.
Task 0 receives, task 1 sends, task 2 closes and tries the calls of the other tasks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from spec.kit.core import Event
from spec.stream import Side

from ..machines.shortest_paths import TURN, Schedule

#: From 1 to so many turns pass between two things: in one turn a call takes place, after the last all has arrived.
GAP_MOST: Final = 7
#: So many turns give a waiting task time to be answered, or to leave.
A_WHILE: Final = (TURN,) * 12

SEND = Event("send_all", (1, (0, 1)))
RECEIVE = Event("receive_some", (0, 2))
ENDS = Event("send_eof", (1,))
CANCELS = Event("cancel", (0,)), Event("cancel", (1,))
LEAVES = tuple(Event(name, (2, end)) for end in Side for name in ("aclose", "abort"))
#: The calls that task 2 tries while another task is in a call.
ALSO = Event("send_all", (2, (1,))), Event("send_eof", (2,)), Event("receive_some", (2, 1))

#: The moves before the gap; a send may have to wait for room.
FIRST: Final[tuple[Schedule, ...]] = (
    (RECEIVE,),
    (SEND,),
    (RECEIVE, TURN, SEND),
    (SEND, *A_WHILE, SEND),
    (SEND, TURN, ENDS),
)
#: The events after the gap, one for each schedule.
SECOND: Final = (SEND, RECEIVE, ENDS, *CANCELS, *LEAVES, *ALSO)
#: The last calls, which show the outcome; calls of a task that is still waiting are left out.
LAST: Final = (SEND, *A_WHILE, RECEIVE, *A_WHILE, RECEIVE, *A_WHILE, RECEIVE)


def schedules(most: int = GAP_MOST) -> Iterator[Schedule]:
    """All of them, those with few turns in between first."""
    for gap, first, second in product(range(1, most + 1), FIRST, SECOND):
        yield (*first, *(TURN,) * gap, second, *A_WHILE, *LAST)
