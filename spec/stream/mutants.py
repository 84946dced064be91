"""Mutants of the stream: each has one error, which the check must find at a known depth.

A mutant derives from the specification, with a wrong action in the place of the right one, or with the right one, but
not fair.  Most are errors that real streams had: bytes that are lost with a cancelled receiver, an end that overtakes
bytes, a wake-up that is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..kit.core import Spec, replace
from ..kit.mutants import in_state, mutant, only_where, unfair
from . import ends
from . import specification as right
from .ends import At, Bytes, Const, Side, Sig, Size, Status, Stream, Task
from .specification import stream

wrong = partial(mutant, stream)


def carry_or_lose(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-31: Wrong: a byte may be lost on the way."""
    yield from right.carry(k, s)
    if len(s.flight) > 0:
        yield replace(s, lost=s.lost + s.flight[:1], flight=s.flight[1:])


def carry_nothing(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-31: Wrong: an end that is closed resets the other one although nothing arrives."""
    yield from right.carry(k, s)
    if s.status[Side.RECEIVER] == Status.CLOSED:
        yield replace(s, resets=s.resets | {Side.SENDER})


def update_of_no_use(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-35: Wrong: an end that is not open learns of room."""
    if ends.freed(k, s) > 0:
        yield right.widen(k, s)


def fail_at_any_time(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-36: Wrong: the network fails when no end is open."""
    if k.faulty:
        yield replace(s, resets=s.resets | {Side.SENDER, Side.RECEIVER})


def send_without_room(k: Const, s: Stream, t: Task, data: Bytes) -> Iterator[Stream]:
    """STREAM-22: Wrong: a send does not check for room."""
    for q in ends.send_all(k, replace(s, room=s.room + len(data)), t, data):
        yield replace(q, room=q.room - len(data))


def send_beside_another(k: Const, s: Stream, t: Task, data: Bytes) -> Iterator[Stream]:
    """STREAM-22: Wrong: several tasks may send, of all bytes together no more than the model allows."""
    left = sum(len(s.rest[w]) for w in k.tasks)
    if s.at[t] == At.IDLE and len(s.sent) + left + len(data) <= k.total:
        yield from ends.offer(k, s, t, data)


def receive_nothing(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-26: Wrong: a wake-up for nothing is taken for the end and a reset."""
    for q in ends.receive_resume(k, s, t):
        is_open = q.at[t] == At.RECEIVE
        reset = replace(q, end=True, status=q.status | {Side.RECEIVER: Status.RESET}) if is_open else q
        yield ends.idle(reset, t)


def send_beyond(k: Const, s: Stream, t: Task, data: Bytes) -> Iterator[Stream]:
    """STREAM-22: Wrong: a task sends more than the model allows."""
    if s.at[t] == At.IDLE and not ends.busy(k, s, t, At.SEND):
        yield from ends.offer(k, s, t, data)


def carry_end_back(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-32: Wrong: the end goes as it came."""
    yield from right.carry_end(k, s)
    if s.end:
        yield replace(s, end=False)


def carry_end_anywhere(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-32: Wrong: the end arrives at an end that is closed or reset, too."""
    if s.ended and not s.end and s.flight == ():
        yield replace(ends.wake(k, s, At.RECEIVE), end=True)


def update_anyway(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-34: Wrong: the sender learns of room that is not there."""
    if right.wants_room(s) and s.room <= k.capacity:
        yield right.widen(k, s)


def receive_more(k: Const, s: Stream, t: Task, n: Size) -> Iterator[Stream]:
    """STREAM-25: Wrong: a receive takes one byte more than it asks for."""
    if s.at[t] == At.IDLE and not ends.busy(k, s, t, At.RECEIVE):
        yield from ends.take(k, s, t, n + 1)


def receive_more_later(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-26: Wrong: a woken receiver takes one byte more than it asked for."""
    if s.at[t] == At.RECEIVE and s.sig[t] == Sig.WOKEN:
        for q in ends.take(k, s, t, s.want[t] + 1):
            yield q if q.at[t] == At.IDLE else replace(q, want=s.want)


#: The actions that a task can end the data with.
ENDING = ("send_eof", "aclose", "abort")
#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Stream]] = {
    # Of two bytes the newest arrives first.
    "in_order": wrong(
        "the newest byte arrives first",
        carry=in_state(lambda s: replace(s, flight=s.flight[1:] + s.flight[:1])),
    ),
    "nothing_lost": wrong("a byte is lost on the way", carry=carry_or_lose),
    "in_flight_fits_the_buffer": wrong("a send does not check for room", send_all=send_without_room),
    "end_last": wrong("the end overtakes bytes", carry_end=in_state(lambda s: replace(s, flight=()), "flight")),
    "none_after_the_end": wrong(
        "the data ends while a task sends",
        send_eof=lambda s: replace(s, ended=s.ended or s.status[Side.SENDER] == Status.OPEN),
    ),
    "no_lost_receiver": wrong("the end wakes no receiver", carry_end=lambda s, q: replace(q, sig=s.sig)),
    "no_lost_sender": wrong(
        "a send waits although there is room", send_all=in_state(lambda s: replace(s, room=0), "room")
    ),
    "one_each": wrong("several tasks may send", send_all=send_beside_another),
    "only_waiters_have_signals": wrong(
        "a task that leaves is still signalled", unwind=lambda s, q: replace(q, sig=s.sig)
    ),
    "reset_for_a_reason": wrong(
        "a cancel resets the connection", unwind=lambda s, q: replace(q, resets=s.resets | {Side.SENDER})
    ),
    "cancel_takes_nothing": wrong(
        "bytes are lost with a cancelled receiver",
        unwind=lambda s, q, t: replace(q, got=s.got + s.unread, unread=()) if s.at[t] == At.RECEIVE else q,
    ),
    "leaves_only_when_served": wrong("a receiver woken for nothing leaves", receive_resume=receive_nothing),
    "nothing_after_the_end": wrong(
        "a send after the end is sent", send_all=in_state(lambda s: replace(s, ended=s.end), "ended")
    ),
    "for_good": wrong(
        "a closed end is reset", carry_reset=lambda q, e: replace(q, status=q.status | {e: Status.RESET})
    ),
    "reset_arrives_once": wrong(
        "a reset arrives again and again", carry_reset=lambda s, q: replace(q, resets=s.resets)
    ),
    "on_the_way": wrong("a closed end resets for nothing", carry=carry_nothing),
    "at_most": wrong("a receive takes more than it asks for", receive_some=receive_more),
    "both_reset": wrong(
        "the network resets the sender only", fail=lambda s: replace(s, resets=s.resets | {Side.SENDER})
    ),
    "end_at_an_open_end": wrong("the end arrives at a closed end", carry_end=carry_end_anywhere),
    "of_use": wrong("room is announced to an end that is closed", update_early=update_of_no_use),
    "at_most_later": wrong("a woken receiver takes more", receive_resume=receive_more_later),
    "resets_with_bytes": wrong(
        "a close of the sender's end resets",
        aclose=lambda s, q, e: replace(q, resets=s.resets | {ends.peer(e)}) if e == Side.SENDER and q != s else q,
    ),
    "resets_at_once": wrong(
        "an abort resets only with bytes unread",
        abort=lambda s, q, e: replace(q, resets=s.resets) if e == Side.RECEIVER and len(s.unread) == 0 else q,
    ),
    "at_its_end": wrong(
        "the data ends after a reset",
        send_eof=lambda k, s, q, t: q if ends.busy(k, s, t, At.SEND) else replace(q, ended=True),
    ),
    "close_closes_its_end": wrong(
        "an end that is reset is not closed",
        aclose=lambda s, q, t, e: s if s.at[t] == At.IDLE and s.status[e] == Status.RESET else q,
    ),
    "ends_the_data": wrong("a close does not end the data", aclose=lambda s, q: replace(q, ended=s.ended)),
    "sends_within_limit": wrong("a task sends more than allowed", send_all=send_beyond),
    # No task can receive a single byte.
    "allowed": wrong("a single byte cannot be received", receive_some=only_where(lambda n: n > 1)),
    "frame": wrong(
        "the end of the data closes the sender's end",
        send_eof=lambda q: replace(q, status=q.status | {Side.SENDER: Status.CLOSED}) if q.ended else q,
    ),
    "receive_returns": unfair(stream, "carry need never happen", "carry"),
    "woken_for_room": unfair(stream, "update need never happen", "update"),
    # The end arrives only while a task waits to receive.
    "end_arrives": wrong(
        "the end arrives at a receiver only",
        carry_end=only_where(lambda k, s: any(s.at[t] == At.RECEIVE for t in k.tasks)),
    ),
    "reset_arrives": unfair(stream, "carry_reset need never happen", "carry_reset"),
    "comes_to_rest": unfair(stream, "unwind need never happen", "unwind"),
}
#: Other errors, by the property above that they break, numbered from 1 on.
OTHERS: dict[tuple[str, int], Spec[Const, Stream]] = {
    ("in_flight_fits_the_buffer", 1): wrong("room is announced that is not there", update=update_anyway),
    ("end_last", 1): wrong(
        "an end arrives that was not sent", carry_end=in_state(lambda s: replace(s, ended=True), "ended")
    ),
    ("no_lost_receiver", 1): wrong(
        "a receive waits although bytes are there",
        receive_some=in_state(lambda s: replace(s, unread=()), "unread"),
    ),
    ("no_lost_receiver", 2): wrong("a reset wakes no receiver", carry_reset=lambda s, q: replace(q, sig=s.sig)),
    ("no_lost_sender", 1): wrong("a reset wakes no sender", carry_reset=lambda s, q: replace(q, sig=s.sig)),
    ("only_waiters_have_signals", 1): wrong(
        "a receiver that leaves wants bytes", unwind=lambda s, q: replace(q, want=s.want)
    ),
    ("only_waiters_have_signals", 2): wrong(
        "a negative number of bytes is wanted", unwind=lambda s, q, t: replace(q, want=s.want | {t: -1})
    ),
    ("only_waiters_have_signals", 3): wrong(
        "a sender that leaves has a rest", unwind=lambda s, q: replace(q, rest=s.rest)
    ),
    ("reset_for_a_reason", 1): wrong(
        "a cancel resets its end",
        unwind=lambda s, q: (
            replace(q, status=q.status | {Side.SENDER: Status.RESET}) if (s.status[Side.SENDER] == Status.OPEN) else q
        ),
    ),
    ("reset_for_a_reason", 2): wrong(
        "a cancel resets the receiver", unwind=lambda s, q: replace(q, resets=s.resets | {Side.RECEIVER})
    ),
    ("close_closes_its_end", 1): wrong(
        "a task that sends closes an end",
        aclose=in_state(lambda s, t: replace(s, at=s.at | {t: At.IDLE}) if s.at[t] == At.SEND else s),
    ),
    ("cancel_takes_nothing", 1): wrong(
        "a cancelled sender sends the rest",
        unwind=lambda s, q, t: replace(q, sent=s.sent + s.rest[t], flight=s.flight + s.rest[t]),
    ),
    ("leaves_only_when_served", 1): wrong("a sender that is woken leaves", send_resume=lambda q, t: ends.idle(q, t)),
    ("for_good", 1): wrong(
        "an end that is reset is opened",
        abort=lambda s, q, e: (
            replace(q, status=q.status | {e: Status.OPEN}) if (e == Side.SENDER and s.status[e] == Status.RESET) else q
        ),
    ),
    ("for_good", 2): wrong("the end of the data is taken back", send_eof=lambda s, q: replace(q, ended=not s.ended)),
    ("for_good", 3): wrong("the end that arrived is gone", carry_end=carry_end_back),
    ("for_good", 4): wrong(
        "a closed receiver is reset",
        carry_reset=lambda q, e: replace(q, status=q.status | {e: Status.RESET}) if e == Side.RECEIVER else q,
    ),
    # A reset arrives that was not under way.
    ("reset_arrives_once", 1): wrong(
        "a reset arrives that was not sent",
        carry_reset=in_state(lambda s, e: replace(s, resets=s.resets | {e})),
    ),
    ("both_reset", 1): wrong("the network resets closed ends", fail=fail_at_any_time),
    # They are lost, and the sender does not learn of it.
    ("on_the_way", 1): wrong(
        "bytes that come too late reset no sender", carry=lambda s, q: replace(q, resets=s.resets)
    ),
    ("resets_at_once", 1): wrong(
        "an abort of a reset end resets",
        abort=lambda s, q, e: replace(q, resets=s.resets | {ends.peer(e)}) if s.status[e] == Status.RESET else q,
    ),
    ("resets_at_once", 2): wrong(
        "a task that sends aborts an end",
        abort=in_state(lambda s, t: replace(s, at=s.at | {t: At.IDLE}) if s.at[t] == At.SEND else s),
    ),
    ("ends_the_data", 1): wrong("a close of either end ends the data", aclose=lambda q: replace(q, ended=True)),
    ("receive_returns", 1): unfair(stream, "carry need never happen, nor send_eof, aclose, abort", "carry", *ENDING),
    ("receive_returns", 2): unfair(stream, "carry_end need never happen", "carry_end"),
    # The sender learns of room once the whole buffer is free.
    ("woken_for_room", 1): wrong(
        "room is announced when all is free", update=only_where(lambda k, s: ends.freed(k, s) >= k.capacity)
    ),
}
