"""One direction of a connection: the actions of the network between two ends, and the properties.

`ends.py` has the actions of tasks.  The network carries one byte at a time, in order, then the end; a reset may
overtake both, and then the bytes in flight to the receiver are lost.  Whatever arrives wakes the tasks that wait for it
in the same step.  So programs can rely on this: bytes arrive in order, and none is lost except by a reset or by a
receiver that has closed; the end arrives after all of them; no task waits for bytes or room that are there already; a
cancel loses no bytes; and whatever is in flight arrives.

The network is free to be late, to announce room early, to wake a task for nothing and, if it is faulty, to reset both
ends.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..kit.core import Spec, replace
from .ends import (
    At,
    Const,
    Side,
    Sig,
    Size,
    Status,
    Stream,
    Task,
    abort,
    aclose,
    busy,
    ends,
    freed,
    peer,
    place,
    receive_resume,
    receive_some,
    send_eof,
    waits,
    wake,
)

stream: Spec[Const, Stream] = Spec("stream", Stream, extends=ends)


# The network.


def arrives(k: Const, s: Stream) -> bool:
    """Whether bytes are in flight, to an end that was not reset."""
    return len(s.flight) > 0 and s.status[Side.RECEIVER] != Status.RESET


@stream.action(fair=True, hidden=True, changes="flight unread lost resets sig", whenever=arrives)
def carry(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-31: The oldest byte in flight arrives; if the receiver's end is closed, the sender is reset instead.
    [RFC 9293, 3.4 and 3.6.1; documented]"""
    if len(s.flight) > 0:
        if s.status[Side.RECEIVER] == Status.OPEN:
            yield replace(wake(k, s, At.RECEIVE), unread=s.unread + s.flight[:1], flight=s.flight[1:])
        elif s.status[Side.RECEIVER] == Status.CLOSED:
            yield replace(s, lost=s.lost + s.flight, flight=(), resets=s.resets | {Side.SENDER})


@stream.action(fair=True, hidden=True, changes="end sig")
def carry_end(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-32: The end arrives, after all bytes.
    [RFC 9293, 3.6, and 3.10.7.4, "Eighth, check the FIN bit"; documented]"""
    if s.ended and not s.end and s.flight == () and s.status[Side.RECEIVER] == Status.OPEN:
        yield replace(wake(k, s, At.RECEIVE), end=True)


@stream.action(fair=True, hidden=True, changes="flight lost resets[e] status[e] sig")
def carry_reset(k: Const, s: Stream, e: Side) -> Iterator[Stream]:
    """STREAM-33: A reset arrives, and bytes still in flight to a receiver are lost; a closed end ignores it.
    [RFC 9293, 3.5.3 and 3.10.7.4, "Second, check the RST bit"; documented]"""
    if e in s.resets:
        if s.status[e] != Status.OPEN:
            yield replace(s, resets=s.resets - {e})
        else:
            q = replace(wake(k, s, place(e)), resets=s.resets - {e}, status=s.status | {e: Status.RESET})
            if e == Side.RECEIVER:
                yield replace(q, lost=s.lost + s.flight, flight=())
            else:
                yield q


def widen(k: Const, s: Stream) -> Stream:
    """The sender learns of room for one more byte."""
    return replace(wake(k, s, At.SEND), room=s.room + 1)


def wants_room(s: Stream) -> bool:
    """Whether the sender can use room."""
    return s.status[Side.SENDER] == Status.OPEN and not s.ended


@stream.action(fair=True, hidden=True, changes="room sig")
def update(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-34: The sender learns of room that receives have made, once it is half of the buffer.
    [RFC 9293, 3.8.6.2.2, with the buffer as the segment; documented]"""
    if wants_room(s) and freed(k, s) + freed(k, s) >= k.capacity:
        yield widen(k, s)


def has_room(k: Const, s: Stream) -> bool:
    """Whether receives have made room that the sender can use."""
    return wants_room(s) and freed(k, s) > 0


@stream.action(hidden=True, changes="room sig", whenever=has_room)
def update_early(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-35: The sender may learn of less room.  [RFC 9293, 3.8.6.2.2, a recommendation; documented]"""
    if wants_room(s) and freed(k, s) > 0:
        yield widen(k, s)


def breaks(k: Const, s: Stream) -> bool:
    """Whether the network may fail, and an end is open."""
    return k.faulty and any(s.status[e] == Status.OPEN for e in (Side.SENDER, Side.RECEIVER))


@stream.action(hidden=True, changes="resets", whenever=breaks)
def fail(k: Const, s: Stream) -> Iterator[Stream]:
    """STREAM-36: The network may reset both ends.  [RFC 9293, 3.5.1, a host that has crashed; documented]"""
    if k.faulty and (s.status[Side.SENDER] == Status.OPEN or s.status[Side.RECEIVER] == Status.OPEN):
        yield replace(s, resets=s.resets | {Side.SENDER, Side.RECEIVER})


@stream.action(hidden=True, changes="sig")
def hint(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-37: A task may be woken for nothing.  [select(2), BUGS; documented]"""
    if s.at[t] != At.IDLE and s.sig[t] == Sig.WAIT:
        yield wake(k, s, s.at[t])


# The properties.


@stream.invariant
def in_order(k: Const, s: Stream) -> bool:
    """STREAM-1: The bytes sent are those taken, those that have arrived, those lost and those in flight, in this order.
    [RFC 9293, 2.2, "a reliable, in-order, byte-stream service"; documented]"""
    return s.sent == s.got + s.unread + s.lost + s.flight


@stream.invariant
def nothing_lost(k: Const, s: Stream) -> bool:
    """STREAM-2: No byte is lost unless the receiver's end is reset or closed.  [RFC 9293, 2.2; documented]"""
    return s.lost == () or s.status[Side.RECEIVER] != Status.OPEN


@stream.invariant
def in_flight_fits_the_buffer(k: Const, s: Stream) -> bool:
    """STREAM-3: No more bytes are sent and not taken than the buffer holds, whatever room the sender knows of.
    [RFC 9293, 3.8.6, the window; documented]"""
    return s.room >= 0 and len(s.sent) + s.room <= len(s.got) + k.capacity


@stream.invariant
def end_last(k: Const, s: Stream) -> bool:
    """STREAM-4: The end arrives only if it was sent, and after all bytes.  [RFC 9293, 3.6; documented]"""
    return not s.end or (s.ended and s.flight == ())


@stream.invariant
def none_after_the_end(k: Const, s: Stream) -> bool:
    """STREAM-38: No task waits to send at an end that is open, once the data has ended.  [RFC 9293, 3.6; documented]"""
    return all(not s.ended or s.status[Side.SENDER] != Status.OPEN or s.at[t] != At.SEND for t in k.tasks)


@stream.invariant
def no_lost_receiver(k: Const, s: Stream) -> bool:
    """STREAM-5: No task waits to receive, without a wake-up on its way, if bytes, the end or a reset have arrived, or
    the end is closed.  [selectors, EVENT_READ; documented]"""
    return all(not waits(s, t, At.RECEIVE) for t in k.tasks) or (
        s.unread == () and not s.end and s.status[Side.RECEIVER] == Status.OPEN
    )


@stream.invariant
def no_lost_sender(k: Const, s: Stream) -> bool:
    """STREAM-6: No task waits to send, without a wake-up on its way, if there is room, or a reset has arrived, or the
    end is closed.  [selectors, EVENT_WRITE; documented]"""
    return all(not waits(s, t, At.SEND) for t in k.tasks) or (s.room == 0 and s.status[Side.SENDER] == Status.OPEN)


@stream.invariant
def one_each(k: Const, s: Stream) -> bool:
    """STREAM-7: At most one task receives, and at most one sends.  [the bytes of two would be interleaved; defined]"""
    return all(s.at[t] == At.IDLE or not busy(k, s, t, s.at[t]) for t in k.tasks)


@stream.invariant
def only_waiters_have_signals(k: Const, s: Stream) -> bool:
    """STREAM-8: Only a waiting task has a signal; only a waiting receiver wants bytes, and none a negative number; only
    a waiting sender has a rest.
    [the meaning of this specification's state; defined]"""
    return all(
        (s.at[t] != At.IDLE or s.sig[t] == Sig.WAIT)
        and s.want[t] >= 0
        and (s.want[t] > 0) == (s.at[t] == At.RECEIVE)
        and (len(s.rest[t]) > 0) == (s.at[t] == At.SEND)
        for t in k.tasks
    )


@stream.invariant
def reset_for_a_reason(k: Const, s: Stream) -> bool:
    """STREAM-9: A reset comes only from a peer that has closed, or from the network.
    [RFC 9293, 3.5.2; documented]"""
    return k.faulty or all(
        (s.status[e] != Status.RESET and e not in s.resets) or s.status[peer(e)] == Status.CLOSED
        for e in (Side.SENDER, Side.RECEIVER)
    )


@stream.invariant
def sends_within_limit(k: Const, s: Stream) -> bool:
    """STREAM-44: No more bytes were sent, and are to be sent, than the model allows.
    [the meaning of this specification's constants; defined]"""
    return all(len(s.sent) + len(s.rest[t]) <= k.total for t in k.tasks)


@stream.step
def cancel_takes_nothing(k: Const, s: Stream, t: Stream) -> bool:
    """STREAM-10: When a cancelled task leaves, a receive takes no byte, and a send adds none.
    [asyncio.Task.cancel, and what bytes_sent is for; defined]"""
    return all(
        s.sig[w] != Sig.CANCELLED or t.sig[w] == Sig.CANCELLED or (t.got == s.got and t.sent == s.sent) for w in k.tasks
    )


@stream.step
def leaves_only_when_served(k: Const, s: Stream, t: Stream) -> bool:
    """STREAM-11: A task that is not cancelled leaves a receive with bytes, or at the end, or with an error; a send with
    all its bytes sent, or with an error.  [RFC 9293, 3.9.1.2 and 3.9.1.3; documented]"""
    return all(
        s.at[w] == At.IDLE
        or t.at[w] != At.IDLE
        or s.sig[w] == Sig.CANCELLED
        or (s.at[w] == At.RECEIVE and (t.got != s.got or s.end or s.status[Side.RECEIVER] != Status.OPEN))
        or (s.at[w] == At.SEND and (t.sent == s.sent + s.rest[w] or s.status[Side.SENDER] != Status.OPEN))
        for w in k.tasks
    )


@stream.step
def nothing_after_the_end(k: Const, s: Stream, t: Stream) -> bool:
    """STREAM-12: After the end nothing is sent.  [RFC 9293, 3.6; documented]"""
    return not s.ended or t.sent == s.sent


@stream.step
def for_good(k: Const, s: Stream, t: Stream) -> bool:
    """STREAM-13: An end that is closed stays closed, one that is reset is never open again; the end of the data is not
    taken back.  [RFC 9293, 3.3.2, CLOSED; documented]"""
    return (
        all(
            (s.status[e] == Status.OPEN or t.status[e] != Status.OPEN)
            and (s.status[e] != Status.CLOSED or t.status[e] == Status.CLOSED)
            for e in (Side.SENDER, Side.RECEIVER)
        )
        and (not s.ended or t.ended)
        and (not s.end or t.end)
    )


@stream.step_of(receive_some)
def at_most(k: Const, s: Stream, t: Stream, w: Task, n: Size) -> bool:
    """STREAM-40: A receive takes at most as many bytes as it asks for.  [RFC 9293, 3.9.1.3, Receive; documented]"""
    return len(t.got) <= len(s.got) + n


@stream.step_of(receive_resume)
def at_most_later(k: Const, s: Stream, t: Stream, w: Task) -> bool:
    """STREAM-41: So does a receive that had to wait.  [RFC 9293, 3.9.1.3, Receive; documented]"""
    return len(t.got) <= len(s.got) + s.want[w]


@stream.step_of(aclose)
def resets_with_bytes(k: Const, s: Stream, t: Stream, w: Task, e: Side) -> bool:
    """STREAM-42: A close resets the other end only at the receiver's end, open, with bytes unread.
    [RFC 9293, 3.6.1, and RFC 2525, 2.17; documented]"""
    resets = e == Side.RECEIVER and s.status[e] == Status.OPEN and len(s.unread) > 0
    return (peer(e) in t.resets) == (peer(e) in s.resets or resets)


@stream.step_of(abort)
def resets_at_once(k: Const, s: Stream, t: Stream, w: Task, e: Side) -> bool:
    """STREAM-43: An abort of an open end resets the other one, and one of another end does not; it is a call of a task
    that is in no other.
    [RFC 9293, 3.9.1.6, Abort; documented]"""
    resets = peer(e) in s.resets or s.status[e] == Status.OPEN
    return s.at[w] == At.IDLE and (peer(e) in t.resets) == resets


@stream.step_of(send_eof)
def at_its_end(k: Const, s: Stream, t: Stream, w: Task) -> bool:
    """STREAM-51: The sender ends the data at its end, if that is open and no task sends.
    [RFC 9293, 3.6; documented]"""
    ends_now = s.status[Side.SENDER] == Status.OPEN and not busy(k, s, w, At.SEND)
    return t.ended == (s.ended or ends_now)


@stream.step_of(aclose)
def close_closes_its_end(k: Const, s: Stream, t: Stream, w: Task, e: Side) -> bool:
    """STREAM-49: A close by a task that is in no other call closes its end, also one that is reset.
    [RFC 9293, 3.6; documented]"""
    return s.at[w] == At.IDLE and t.status[e] == Status.CLOSED


@stream.step_of(aclose)
def ends_the_data(k: Const, s: Stream, t: Stream, w: Task, e: Side) -> bool:
    """STREAM-45: A close ends the data only at the sender's end, and always if that is open.
    [RFC 9293, 3.6; documented]"""
    return t.ended == (s.ended or (e == Side.SENDER and s.status[e] == Status.OPEN))


def something_comes(k: Const, s: Stream, t: Task) -> bool:
    """Whether t receives, and bytes are in flight, or the data has ended, or its end is not open."""
    return s.at[t] == At.RECEIVE and (len(s.flight) > 0 or s.ended or s.status[Side.RECEIVER] != Status.OPEN)


@stream.leads_to(something_comes)
def receive_returns(k: Const, s: Stream, t: Task) -> bool:
    """STREAM-14: A receive returns if bytes are in flight, after the end, and after a reset or a close.
    [RFC 9293, 2.2; documented]"""
    return s.at[t] == At.IDLE


def half_is_free(k: Const, s: Stream, t: Task) -> bool:
    """Whether half of the buffer is free; the sender t may wait for room."""
    return freed(k, s) + freed(k, s) >= k.capacity


@stream.leads_to(half_is_free)
def woken_for_room(k: Const, s: Stream, t: Task) -> bool:
    """STREAM-15: A waiting sender is woken once half of the buffer is free.
    [RFC 9293, 3.8.6.2.2; documented]"""
    return not waits(s, t, At.SEND)


def has_ended(k: Const, s: Stream) -> bool:
    return s.ended


@stream.leads_to(has_ended)
def end_arrives(k: Const, s: Stream) -> bool:
    """STREAM-16: The end arrives, and so all bytes before it, unless the receiver's end is reset or closed.
    [RFC 9293, 3.6; documented]"""
    return s.end or s.status[Side.RECEIVER] != Status.OPEN


def under_way(k: Const, s: Stream, e: Side) -> bool:
    return e in s.resets


@stream.leads_to(under_way)
def reset_arrives(k: Const, s: Stream, e: Side) -> bool:
    """STREAM-17: A reset arrives, unless that end is closed.  [RFC 9293, 3.5.3; documented]"""
    return s.status[e] != Status.OPEN


@stream.step_of(carry_reset)
def reset_arrives_once(k: Const, s: Stream, t: Stream, e: Side) -> bool:
    """STREAM-39: A reset arrives once: it is under way before, and not after.  [RFC 9293, 3.5.3; documented]"""
    return e in s.resets and e not in t.resets


@stream.step_of(carry)
def on_the_way(k: Const, s: Stream, t: Stream) -> bool:
    """STREAM-46: A byte that arrives was in flight, and is not any more; if it comes to a closed end, the sender is
    reset.
    [RFC 9293, 3.10.7.1, CLOSED STATE; documented]"""
    return len(t.flight) < len(s.flight) and (s.status[Side.RECEIVER] != Status.CLOSED or Side.SENDER in t.resets)


@stream.step_of(fail)
def both_reset(k: Const, s: Stream, t: Stream) -> bool:
    """STREAM-47: A network that fails resets both ends; one of them is open.
    [RFC 9293, 3.5.1, a host that has crashed; documented]"""
    return breaks(k, s) and all(e in t.resets for e in (Side.SENDER, Side.RECEIVER))


@stream.step_of(carry_end)
def end_at_an_open_end(k: Const, s: Stream, t: Stream) -> bool:
    """STREAM-50: The end of the data arrives at an end that is open.  [RFC 9293, 3.10.7.1, CLOSED STATE; documented]"""
    return t.end and s.status[Side.RECEIVER] == Status.OPEN


@stream.step_of(update, update_early)
def of_use(k: Const, s: Stream, t: Stream) -> bool:
    """STREAM-48: A sender learns only of room that was made, and that it can use.
    [RFC 9293, 3.8.6.2.2; documented]"""
    return s.status[Side.SENDER] == Status.OPEN and not s.ended and freed(k, s) > 0


def moving(k: Const, s: Stream, t: Task) -> bool:
    """Whether t was woken or cancelled and has not run since."""
    return s.sig[t] != Sig.WAIT


@stream.leads_to(moving)
def comes_to_rest(k: Const, s: Stream, t: Task) -> bool:
    """STREAM-18: A task that is woken or cancelled runs: it leaves, or waits again.
    [asyncio.Task.cancel and the event loop, which runs every callback; documented]"""
    return s.sig[t] == Sig.WAIT
