"""Mutants of the stream: each has one error, which the check must find at a known depth.

A mutant derives from the specification, with a wrong action in the place of the right one, or with the right one, but
not fair.  Most are errors that real streams had: bytes that are lost with a cancelled receiver, an end that overtakes
bytes, a wake-up that is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..kit.bounded import mutant
from ..kit.core import Spec, replace
from . import ends
from . import specification as right
from .ends import At, Bytes, Const, End, Sig, Size, Status, Stream, Task
from .specification import stream


def carry_the_newest(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-31: Wrong: of two bytes the newest arrives first."""
    yield from right.carry(k, replace(s, flight=s.flight[1:] + s.flight[:1]))


def carry_or_lose(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-31: Wrong: a byte may be lost on the way."""
    yield from right.carry(k, s)
    if len(s.flight) > 0:
        yield replace(s, lost=s.lost + s.flight[:1], flight=s.flight[1:])


def carry_nothing(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-31: Wrong: an end that is closed resets the other one although nothing arrives."""
    yield from right.carry(k, s)
    if s.status[End.RECEIVER] == Status.CLOSED:
        yield replace(s, resets=s.resets | {End.SENDER})


def carry_silently(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-31: Wrong: bytes that come to a closed end are lost, and the sender does not learn of it."""
    for q in right.carry(k, s):
        yield replace(q, resets=s.resets)


def update_of_no_use(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-35: Wrong: an end that is not open learns of room."""
    if ends.freed(k, s) > 0:
        yield right.widen(k, s)


def fail_at_the_sender(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-36: Wrong: a network that fails resets the sender only."""
    for _ in right.fail(k, s):
        yield replace(s, resets=s.resets | {End.SENDER})


def fail_at_any_time(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-36: Wrong: the network fails when no end is open."""
    if k.faulty:
        yield replace(s, resets=s.resets | {End.SENDER, End.RECEIVER})


def send_without_room(k: Const, s: Stream, t: Task, data: Bytes) -> Iterator[Stream]:
    """STREAM-22: Wrong: a send does not check for room."""
    for q in ends.send_all(k, replace(s, room=s.room + len(data)), t, data):
        yield replace(q, room=q.room - len(data))


def carry_end_first(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-32: Wrong: the end overtakes bytes."""
    for q in right.carry_end(k, replace(s, flight=())):
        yield replace(q, flight=s.flight)


def carry_end_silently(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-32: Wrong: the end wakes no receiver."""
    for q in right.carry_end(k, s):
        yield replace(q, sig=s.sig)


def send_beside_room(k: Const, s: Stream, t: Task, data: Bytes) -> Iterator[Stream]:
    """STREAM-22: Wrong: a send does not look at the room that is known, and waits."""
    for q in ends.send_all(k, replace(s, room=0), t, data):
        yield replace(q, room=s.room)


def send_beside_another(k: Const, s: Stream, t: Task, data: Bytes) -> Iterator[Stream]:
    """STREAM-22: Wrong: several tasks may send, of all bytes together no more than the model allows."""
    left = sum(len(s.rest[w]) for w in k.tasks)
    if s.at[t] == At.IDLE and len(s.sent) + left + len(data) <= k.total:
        yield from ends.offer(k, s, t, data)


def unwind_keeping_the_signal(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-30: Wrong: a task that leaves is still signalled."""
    for q in ends.unwind(k, s, t):
        yield replace(q, sig=s.sig)


def unwind_and_reset(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-30: Wrong: a cancel resets the connection."""
    for q in ends.unwind(k, s, t):
        yield replace(q, resets=s.resets | {End.SENDER})


def unwind_into_a_reset(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-30: Wrong: a cancel resets its own end, at once, and sends nothing."""
    for q in ends.unwind(k, s, t):
        is_open = s.status[End.SENDER] == Status.OPEN
        yield replace(q, status=q.status | {End.SENDER: Status.RESET}) if is_open else q


def unwind_with_bytes(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-30: Wrong: the bytes there for a cancelled receiver are lost with it."""
    for q in ends.unwind(k, s, t):
        if s.at[t] == At.RECEIVE:
            yield replace(q, got=s.got + s.unread, unread=())
        else:
            yield q


def end_beside_a_sender(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-24: Wrong: a task may end the data while another sends."""
    if s.at[t] == At.IDLE:
        yield replace(s, ended=s.ended or s.status[End.SENDER] == Status.OPEN)


def receive_nothing(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-26: Wrong: a wake-up for nothing is taken for the end and a reset."""
    for q in ends.receive_resume(k, s, t):
        is_open = q.at[t] == At.RECEIVE
        reset = replace(q, end=True, status=q.status | {End.RECEIVER: Status.RESET}) if is_open else q
        yield ends.idle(reset, t)


def send_nothing(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-23: Wrong: a sender that is woken leaves, even with a rest."""
    for q in ends.send_resume(k, s, t):
        yield ends.idle(q, t)


def send_after_the_end(k: Const, s: Stream, t: Task, data: Bytes) -> Iterator[Stream]:
    """STREAM-22: Wrong: a send after the end of the data is sent, too, until that arrives."""
    for q in ends.send_all(k, replace(s, ended=s.end), t, data):
        yield replace(q, ended=s.ended)


def send_beyond(k: Const, s: Stream, t: Task, data: Bytes) -> Iterator[Stream]:
    """STREAM-22: Wrong: a task sends more than the model allows."""
    if s.at[t] == At.IDLE and not ends.busy(k, s, t, At.SEND):
        yield from ends.offer(k, s, t, data)


def send_eof_or_not(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-24: Wrong: the second end of the data takes the first one back."""
    for q in ends.send_eof(k, s, t):
        yield replace(q, ended=not s.ended)


def carry_end_back(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-32: Wrong: the end goes as it came."""
    yield from right.carry_end(k, s)
    if s.end:
        yield replace(s, end=False)


def carry_end_unsent(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-32: Wrong: an end arrives that was not sent."""
    for q in right.carry_end(k, replace(s, ended=True)):
        yield replace(q, ended=s.ended)


def receive_beside_bytes(k: Const, s: Stream, t: Task, n: Size) -> Iterator[Stream]:
    """STREAM-25: Wrong: a receive does not look at the bytes that have arrived, and waits."""
    for q in ends.receive_some(k, replace(s, unread=()), t, n):
        yield replace(q, unread=s.unread)


def carry_end_to_a_receiver(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-32: Wrong: the end arrives only while a task waits to receive."""
    if any(s.at[t] == At.RECEIVE for t in k.tasks):
        yield from right.carry_end(k, s)


def carry_reset_silently(k: Const, s: Stream, e: End) -> Iterator[Stream]:
    """STREAM-33: Wrong: a reset wakes no task."""
    for q in right.carry_reset(k, s, e):
        yield replace(q, sig=s.sig)


def carry_reset_unsent(k: Const, s: Stream, e: End) -> Iterator[Stream]:
    """STREAM-33: Wrong: a reset arrives that was not under way."""
    yield from right.carry_reset(k, replace(s, resets=s.resets | {e}), e)


def abort_to_open(k: Const, s: Stream, t: Task, e: End) -> Iterator[Stream]:
    """STREAM-28: Wrong: an abort of the sender's end opens it again if it is reset."""
    for q in ends.abort(k, s, t, e):
        again = e == End.SENDER and s.status[e] == Status.RESET
        yield replace(q, status=q.status | {e: Status.OPEN}) if again else q


def abort_of_the_reset(k: Const, s: Stream, t: Task, e: End) -> Iterator[Stream]:
    """STREAM-28: Wrong: an abort of an end that is reset resets the other one, too."""
    for q in ends.abort(k, s, t, e):
        yield replace(q, resets=s.resets | {ends.peer(e)}) if s.status[e] == Status.RESET else q


def aclose_unless_reset(k: Const, s: Stream, t: Task, e: End) -> Iterator[Stream]:
    """STREAM-27: Wrong: a close of an end that is reset changes nothing."""
    if s.at[t] == At.IDLE and s.status[e] == Status.RESET:
        yield s
    else:
        yield from ends.aclose(k, s, t, e)


def carry_end_anywhere(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-32: Wrong: the end arrives at an end that is closed or reset, too."""
    if s.ended and not s.end and s.flight == ():
        yield replace(ends.wake(k, s, At.RECEIVE), end=True)


def abort_inside(k: Const, s: Stream, t: Task, e: End) -> Iterator[Stream]:
    """STREAM-28: Wrong: a task that sends aborts an end."""
    yield from ends.abort(k, replace(s, at=s.at | {t: At.IDLE}) if s.at[t] == At.SEND else s, t, e)


def send_eof_after_a_reset(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-24: Wrong: the data ends at an end that is not open."""
    for q in ends.send_eof(k, s, t):
        yield q if ends.busy(k, s, t, At.SEND) else replace(q, ended=True)


def aclose_inside(k: Const, s: Stream, t: Task, e: End) -> Iterator[Stream]:
    """STREAM-27: Wrong: a task that sends closes an end."""
    yield from ends.aclose(k, replace(s, at=s.at | {t: At.IDLE}) if s.at[t] == At.SEND else s, t, e)


def unwind_and_reset_the_receiver(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-30: Wrong: a cancel resets the receiver's end."""
    for q in ends.unwind(k, s, t):
        yield replace(q, resets=s.resets | {End.RECEIVER})


def carry_reset_to_a_closed_receiver(k: Const, s: Stream, e: End) -> Iterator[Stream]:
    """STREAM-33: Wrong: a closed receiver's end does not ignore a reset."""
    for q in right.carry_reset(k, s, e):
        yield replace(q, status=q.status | {e: Status.RESET}) if e == End.RECEIVER else q


def aclose_without_the_end(k: Const, s: Stream, t: Task, e: End) -> Iterator[Stream]:
    """STREAM-27: Wrong: a close does not end the data."""
    for q in ends.aclose(k, s, t, e):
        yield replace(q, ended=s.ended)


def aclose_with_the_end(k: Const, s: Stream, t: Task, e: End) -> Iterator[Stream]:
    """STREAM-27: Wrong: a close of either end ends the data."""
    for q in ends.aclose(k, s, t, e):
        yield replace(q, ended=True)


def update_anyway(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-34: Wrong: the sender learns of room that is not there."""
    if right.wants_room(s) and s.room <= k.capacity:
        yield right.widen(k, s)


def update_of_all(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-34: Wrong: the sender learns of room once the whole buffer is free."""
    if ends.freed(k, s) >= k.capacity:
        yield from right.update(k, s)


def receive_two(k: Const, s: Stream, t: Task, n: Size) -> Iterator[Stream]:
    """STREAM-25: Wrong: no task can receive a single byte."""
    if n > 1:
        yield from ends.receive_some(k, s, t, n)


def unwind_wanting(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-30: Wrong: a receiver that leaves still wants bytes."""
    for q in ends.unwind(k, s, t):
        yield replace(q, want=s.want)


def unwind_wanting_less(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-30: Wrong: a task that leaves wants a negative number of bytes."""
    for q in ends.unwind(k, s, t):
        yield replace(q, want=s.want | {t: -1})


def unwind_with_the_rest(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-30: Wrong: a sender that leaves still has bytes to send."""
    for q in ends.unwind(k, s, t):
        yield replace(q, rest=s.rest)


def unwind_sending_the_rest(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-30: Wrong: a cancelled sender sends the rest."""
    for q in ends.unwind(k, s, t):
        yield replace(q, sent=s.sent + s.rest[t], flight=s.flight + s.rest[t])


def carry_reset_to_the_closed(k: Const, s: Stream, e: End) -> Iterator[Stream]:
    """STREAM-33: Wrong: a closed end does not ignore a reset."""
    for q in right.carry_reset(k, s, e):
        yield replace(q, status=q.status | {e: Status.RESET})


def carry_reset_again(k: Const, s: Stream, e: End) -> Iterator[Stream]:
    """STREAM-33: Wrong: a reset that has arrived is still under way."""
    for q in right.carry_reset(k, s, e):
        yield replace(q, resets=s.resets)


def receive_more(k: Const, s: Stream, t: Task, n: Size) -> Iterator[Stream]:
    """STREAM-25: Wrong: a receive takes one byte more than it asks for."""
    if s.at[t] == At.IDLE and not ends.busy(k, s, t, At.RECEIVE):
        yield from ends.take(k, s, t, n + 1)


def receive_more_later(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-26: Wrong: a woken receiver takes one byte more than it asked for."""
    if s.at[t] == At.RECEIVE and s.sig[t] == Sig.WOKEN:
        for q in ends.take(k, s, t, s.want[t] + 1):
            yield q if q.at[t] == At.IDLE else replace(q, want=s.want)


def close_as_an_abort(k: Const, s: Stream, t: Task, e: End) -> Iterator[Stream]:
    """STREAM-27: Wrong: a close of the sender's end resets the receiver."""
    for q in ends.aclose(k, s, t, e):
        yield replace(q, resets=s.resets | {ends.peer(e)}) if e == End.SENDER and q != s else q


def abort_as_a_close(k: Const, s: Stream, t: Task, e: End) -> Iterator[Stream]:
    """STREAM-28: Wrong: an abort of the receiver's end resets the sender only if bytes are unread."""
    for q in ends.abort(k, s, t, e):
        yield replace(q, resets=s.resets) if e == End.RECEIVER and len(s.unread) == 0 else q


def send_eof_and_close(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-24: Wrong: the end of the data closes the end of the connection, too."""
    for q in ends.send_eof(k, s, t):
        yield replace(q, status=q.status | {End.SENDER: Status.CLOSED}) if q.ended else q


def unfair(name: str, *without: str) -> Spec[Const, Stream]:
    """The specification, but that action is not fair, and those in `without` are not there."""
    action = stream.actions[name]
    spec: Spec[Const, Stream] = Spec(
        f"stream: {name} need never happen" + f", nor {', '.join(without)}" * bool(without),
        Stream,
        stream,
        without=(name, *without),
    )
    spec.action(hidden=action.hidden, answer=action.answer)(action.fn)
    return spec


#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Stream]] = {
    "in_order": mutant(stream, "the newest byte arrives first", carry=carry_the_newest),
    "nothing_lost": mutant(stream, "a byte is lost on the way", carry=carry_or_lose),
    "bounded": mutant(stream, "a send does not check for room", send_all=send_without_room),
    "end_last": mutant(stream, "the end overtakes bytes", carry_end=carry_end_first),
    "none_after_the_end": mutant(stream, "the data ends while a task sends", send_eof=end_beside_a_sender),
    "no_lost_receiver": mutant(stream, "the end wakes no receiver", carry_end=carry_end_silently),
    "no_lost_sender": mutant(stream, "a send waits although there is room", send_all=send_beside_room),
    "one_each": mutant(stream, "several tasks may send", send_all=send_beside_another),
    "clean": mutant(stream, "a task that leaves is still signalled", unwind=unwind_keeping_the_signal),
    "reset_for_a_reason": mutant(stream, "a cancel resets the connection", unwind=unwind_and_reset),
    "cancel_takes_nothing": mutant(
        stream, "bytes are lost with a cancelled receiver", unwind=unwind_with_bytes
    ),
    "served": mutant(stream, "a receiver woken for nothing leaves", receive_resume=receive_nothing),
    "nothing_after_the_end": mutant(stream, "a send after the end is sent", send_all=send_after_the_end),
    "for_good": mutant(stream, "a closed end is reset", carry_reset=carry_reset_to_the_closed),
    "taken": mutant(stream, "a reset arrives again and again", carry_reset=carry_reset_again),
    "on_the_way": mutant(stream, "a closed end resets for nothing", carry=carry_nothing),
    "at_most": mutant(stream, "a receive takes more than it asks for", receive_some=receive_more),
    "both_reset": mutant(stream, "the network resets the sender only", fail=fail_at_the_sender),
    "end_at_an_open_end": mutant(stream, "the end arrives at a closed end", carry_end=carry_end_anywhere),
    "of_use": mutant(stream, "room is announced to an end that is closed", update_early=update_of_no_use),
    "at_most_later": mutant(stream, "a woken receiver takes more", receive_resume=receive_more_later),
    "resets_with_bytes": mutant(stream, "a close of the sender's end resets", aclose=close_as_an_abort),
    "resets_at_once": mutant(stream, "an abort resets only with bytes unread", abort=abort_as_a_close),
    "at_its_end": mutant(stream, "the data ends after a reset", send_eof=send_eof_after_a_reset),
    "shut": mutant(stream, "an end that is reset is not closed", aclose=aclose_unless_reset),
    "ends_the_data": mutant(stream, "a close does not end the data", aclose=aclose_without_the_end),
    "limited": mutant(stream, "a task sends more than allowed", send_all=send_beyond),
    "allowed": mutant(stream, "a single byte cannot be received", receive_some=receive_two),
    "frame": mutant(stream, "the end of the data closes the sender's end", send_eof=send_eof_and_close),
    "answered": unfair("carry"),
    "woken_for_room": unfair("update"),
    "end_arrives": mutant(stream, "the end arrives at a receiver only", carry_end=carry_end_to_a_receiver),
    "reset_arrives": unfair("carry_reset"),
    "comes_to_rest": unfair("unwind"),
}
#: Other errors, by the property above that they break.
OTHERS: dict[str, list[Spec[Const, Stream]]] = {
    "bounded": [mutant(stream, "room is announced that is not there", update=update_anyway)],
    "end_last": [mutant(stream, "an end arrives that was not sent", carry_end=carry_end_unsent)],
    "no_lost_receiver": [
        mutant(stream, "a receive waits although bytes are there", receive_some=receive_beside_bytes),
        mutant(stream, "a reset wakes no receiver", carry_reset=carry_reset_silently),
    ],
    "no_lost_sender": [mutant(stream, "a reset wakes no sender", carry_reset=carry_reset_silently)],
    "clean": [
        mutant(stream, "a receiver that leaves wants bytes", unwind=unwind_wanting),
        mutant(stream, "a negative number of bytes is wanted", unwind=unwind_wanting_less),
        mutant(stream, "a sender that leaves has a rest", unwind=unwind_with_the_rest),
    ],
    "reset_for_a_reason": [
        mutant(stream, "a cancel resets its end", unwind=unwind_into_a_reset),
        mutant(stream, "a cancel resets the receiver", unwind=unwind_and_reset_the_receiver),
    ],
    "shut": [mutant(stream, "a task that sends closes an end", aclose=aclose_inside)],
    "cancel_takes_nothing": [
        mutant(stream, "a cancelled sender sends the rest", unwind=unwind_sending_the_rest)
    ],
    "served": [mutant(stream, "a sender that is woken leaves", send_resume=send_nothing)],
    "for_good": [
        mutant(stream, "an end that is reset is opened", abort=abort_to_open),
        mutant(stream, "the end of the data is taken back", send_eof=send_eof_or_not),
        mutant(stream, "the end that arrived is gone", carry_end=carry_end_back),
        mutant(stream, "a closed receiver is reset", carry_reset=carry_reset_to_a_closed_receiver),
    ],
    "taken": [mutant(stream, "a reset arrives that was not sent", carry_reset=carry_reset_unsent)],
    "both_reset": [mutant(stream, "the network resets closed ends", fail=fail_at_any_time)],
    "on_the_way": [mutant(stream, "bytes that come too late reset no sender", carry=carry_silently)],
    "resets_at_once": [
        mutant(stream, "an abort of a reset end resets", abort=abort_of_the_reset),
        mutant(stream, "a task that sends aborts an end", abort=abort_inside),
    ],
    "ends_the_data": [mutant(stream, "a close of either end ends the data", aclose=aclose_with_the_end)],
    "answered": [unfair("carry", "send_eof", "aclose", "abort"), unfair("carry_end")],
    "woken_for_room": [mutant(stream, "room is announced when all is free", update=update_of_all)],
}
