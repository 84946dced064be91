"""The specification of streams: runs that it allows and runs that it forbids.

That each property can fail, and that nothing is vacuous, is tested for all specifications together.  Here the monitor
reads small handwritten runs of a program on a right or a wrong stream.  These also pin the meaning of the actions,
which no property does.
"""

import pytest

from spec.kit.core import Event
from spec.kit.monitor import Monitor, Rejected
from spec.kit.trace import Do, End, Line, Return
from spec.stream import Said, Side, stream_model

SENDER, RECEIVER = Side.SENDER, Side.RECEIVER
REST = End()


def do(name: str, *args: object) -> Line:
    return Do(Event(name, args))


def call(answer: object, name: str, *args: object) -> list[Line]:
    """A call that is answered at once."""
    return [do(name, *args), Return(args[0], answer)]


def sent(*data: int) -> list[Line]:
    return call(Said.DONE, "send_all", 1, data)


def got(*data: int) -> list[Line]:
    return call(data, "receive_some", 0, 3)


GOT_END = got()
ENDED = call(Said.DONE, "send_eof", 1)
#: Calls that wait, and how they end.
WAITS, WAITS_FOR_ONE = do("receive_some", 0, 2), do("receive_some", 0, 1)
WAITS_FOR_ROOM, SENT = do("send_all", 1, (5, 6, 7)), Return(1, Said.DONE)
CANCELLED = [do("cancel", 0), Return(0, Said.CANCELLED)]
#: Closes of one end, and the errors at the other.
RESET, SHUT = call(Said.DONE, "abort", 1, SENDER), call(Said.DONE, "aclose", 0, RECEIVER)
BROKEN_RECEIVE = call(Said.BROKEN, "receive_some", 0, 1)
BROKEN_SEND = call(Said.BROKEN, "send_all", 1, (6,))

ALLOWED: dict[str, list[Line]] = {
    "bytes come in order, in any pieces": [*sent(5, 6), *got(5), *sent(7), *got(6, 7), REST],
    "the end comes after the bytes, and again and again": [*sent(5), *ENDED, *got(5), *GOT_END, *GOT_END, REST],
    "to end twice is no error": [*ENDED, *ENDED, *GOT_END],
    "a receiver waits for bytes": [WAITS, REST, *sent(5), Return(0, (5,)), REST],
    "a receiver waits for the end": [WAITS, REST, *ENDED, Return(0, ()), REST],
    "a sender waits for room": [WAITS_FOR_ROOM, REST, *got(5, 6), SENT, *got(7)],
    "a sender waits until half of the buffer is free": [*sent(5, 6), do("send_all", 1, (7,)), *got(5), SENT, REST],
    "a cancelled receiver leaves the bytes": [WAITS, *sent(5), *CANCELLED, *got(5), REST],
    "a cancelled sender has sent a part": [
        *[WAITS_FOR_ROOM, do("cancel", 1), Return(1, Said.CANCELLED), *got(5, 6), *sent(8), *got(8)],
    ],
    "one task at a time may receive": [WAITS, *call(Said.BUSY, "receive_some", 2, 1), *sent(5), Return(0, (5,))],
    "one task at a time may send, or end": [
        *[WAITS_FOR_ROOM, *call(Said.BUSY, "send_all", 2, (8,)), *call(Said.BUSY, "send_eof", 2)],
        *[*got(5, 6), SENT, *got(7)],
    ],
    "what had arrived may be taken after a reset": [*sent(5), *RESET, *got(5), *BROKEN_RECEIVE, REST],
    "what was under way may be lost with a reset": [*sent(5), *RESET, *BROKEN_RECEIVE],
    "a close is carried as the end": [*sent(5), *call(Said.DONE, "aclose", 1, SENDER), *got(5), *GOT_END],
    "to close with bytes unread resets the sender": [*sent(5), REST, *SHUT, REST, *BROKEN_SEND],
    "to close with nothing unread does not, until bytes come": [*SHUT, REST, *sent(5), REST, *BROKEN_SEND],
    "a task that waits at an end that is closed returns": [
        *[WAITS_FOR_ONE, *call(Said.DONE, "aclose", 2, RECEIVER), Return(0, Said.CLOSED)],
        *[WAITS_FOR_ROOM, *call(Said.DONE, "abort", 2, SENDER), Return(1, Said.CLOSED), REST],
    ],
}  # fmt: skip

FORBIDDEN: dict[str, list[Line]] = {
    "bytes change places": [*sent(5, 6), *got(6, 5)],
    "a byte is lost": [*sent(5, 6), *got(6)],
    "a byte comes twice": [*sent(5), *got(5), *got(5)],
    "more comes than was asked for": [*sent(5, 6), *call((5, 6), "receive_some", 0, 1)],
    "the end comes before bytes": [*sent(5), *ENDED, *GOT_END],
    "the end arrives though the sender has not ended": [*sent(5), *got(5), *GOT_END],
    "bytes come after the end": [*ENDED, *GOT_END, *sent(5)],
    "a send finds room where there is none": [*sent(5, 6, 7)],
    "a receiver is forgotten when bytes come": [WAITS, *sent(5), REST],
    "a receiver is forgotten when the end comes": [WAITS, *ENDED, REST],
    "a receiver is forgotten when a reset comes": [WAITS, *RESET, REST],
    "a sender is forgotten when room comes": [WAITS_FOR_ROOM, *got(5, 6), REST],
    "a sender is forgotten when a reset comes": [WAITS_FOR_ROOM, *call(Said.DONE, "abort", 0, RECEIVER), REST],
    "a cancelled receiver is answered": [WAITS, *sent(5), do("cancel", 0), Return(0, (5,))],
    "bytes go with a cancelled receiver": [WAITS, *sent(5), *CANCELLED, WAITS, REST],
    "a reset is taken for the end": [*sent(5), *RESET, *GOT_END],
    "a reset comes out of nowhere": [*sent(5), *BROKEN_RECEIVE],
    "a sender sees a reset that never was": [*sent(5), *BROKEN_SEND],
    "a receiver that has closed receives": [*SHUT, WAITS_FOR_ONE, REST],
    "a cancel of an idle task": [do("cancel", 0)],
    "bytes come that arrived behind a reset": [*sent(5), *RESET, REST, *BROKEN_RECEIVE, *got(5)],
}  # fmt: skip


def follow(lines: list[Line]) -> None:
    Monitor(stream_model(3, 2, 100, kinds=0, size=3)).follow(lines)


@pytest.mark.parametrize("run", ALLOWED)
def test_what_is_allowed(run: str) -> None:
    follow(ALLOWED[run])


@pytest.mark.parametrize("run", FORBIDDEN)
def test_what_is_not_allowed(run: str) -> None:
    follow(FORBIDDEN[run][:-1])
    with pytest.raises(Rejected):
        follow(FORBIDDEN[run])


def test_a_faulty_network_may_reset_and_need_not() -> None:
    faulty = Monitor(stream_model(3, 2, 100, kinds=0, size=3, faulty=True))
    faulty.follow([*sent(5), *call(Said.BROKEN, "receive_some", 0, 1)])
    faulty.restart()
    faulty.follow([*sent(5), *got(5), REST])
