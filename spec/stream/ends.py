"""The two ends of one direction of a connection, and the tasks there; `specification.py`: the network, and the rules.

A byte goes from the sender's end to the receiver's, and is always in one of four places:

    sent  =  got (taken by the receiver) + unread (arrived) + lost + flight (in flight)

A sender may send as many bytes as it knows room for (`room`).  A receive makes room, but the sender learns of it later:
`freed` is the room that it does not know of yet.

A task that cannot proceed waits, is woken by the step that brings the bytes or the room, and runs later.  It takes
bytes in the very step that returns, so a cancel before that step loses none.

The first parameter of an action is the task that calls, or is cancelled; hidden actions are the steps of tasks that
were woken or cancelled.  Any task may close or abort either end.  Every rule ends with [source; standing].
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType, TypeAlias

from ..kit.core import Map, Spec, replace

Task = NewType("Task", int)
Byte = NewType("Byte", int)
Size = NewType("Size", int)
Bytes: TypeAlias = tuple[Byte, ...]


class Side(StrEnum):
    """The two ends."""

    SENDER = "sender"
    RECEIVER = "receiver"


class Status(StrEnum):
    """The status of an end."""

    OPEN = "open"
    RESET = "reset"  # a reset has arrived
    CLOSED = "closed"  # closed or aborted by its own side


class At(StrEnum):
    """Where a task is."""

    IDLE = "idle"  # it runs, or waits for something other than this stream
    SEND = "send"
    RECEIVE = "receive"


class Sig(StrEnum):
    """The signal that a waiting task has received."""

    WAIT = "wait"  # none yet
    WOKEN = "woken"
    CANCELLED = "cancelled"


class Said(StrEnum):
    """The result of a call that returns no bytes; a receive at the end of the data returns empty bytes."""

    DONE = "done"
    CANCELLED = "cancelled"  # CancelledError
    BUSY = "busy"  # RuntimeError: another task sends, or receives
    BROKEN = "broken"  # ConnectionResetError or BrokenPipeError
    CLOSED = "closed"  # OSError, EBADF: this end is closed


@dataclass(frozen=True)
class Const:
    """The constants: the tasks, how many bytes the direction holds, and the sizes that a receive may have: 1, 2, ...

    `total` bounds the bytes that a model sends; `faulty`: the network may reset the connection by itself.
    """

    tasks: frozenset[Task]
    capacity: int
    sizes: frozenset[Size]
    total: int
    faulty: bool


@dataclass(frozen=True)
class Stream:
    """The state of the bytes, of the two ends, and of every task with respect to them.

    `room`: how many bytes the sender knows it may send.  `ended`: the sender has ended the data; `end`: the end has
    arrived.  `resets`: the ends with a reset in flight to them.  `want` and `rest`: how many bytes a waiting receiver
    takes at most, and the bytes that a waiting sender has not sent yet.
    """

    sent: Bytes
    flight: Bytes
    unread: Bytes
    got: Bytes
    lost: Bytes
    room: int
    ended: bool
    end: bool
    resets: frozenset[Side]
    status: Map[Side, Status]
    at: Map[Task, At]
    sig: Map[Task, Sig]
    want: Map[Task, int]
    rest: Map[Task, Bytes]


SLICES = "slices of variable length are outside the subset"


def front(xs: Bytes, n: int) -> Bytes:
    """The first n of xs, or all if there are fewer."""
    return xs[:n]


def back(xs: Bytes, n: int) -> Bytes:
    """xs without its first n."""
    return xs[n:]


def is_front(xs: Bytes, n: int, ys: Bytes) -> bool:
    """The law of `front`: with `back`, it is all of xs."""
    return n < 0 or (xs == ys + back(xs, n) and len(ys) == min(n, len(xs)))


def is_back(xs: Bytes, n: int, ys: Bytes) -> bool:
    """The law of `back`: it is the part that `front` leaves."""
    return n < 0 or xs == front(xs, n) + ys


ends: Spec[Const, Stream] = Spec(
    "ends",
    Stream,
    opaque={"front": SLICES, "back": SLICES},
    laws={"front": is_front, "back": is_back},
    universe={Task: "tasks", Size: "sizes"},
    numbers=[Size],
)


def waits(s: Stream, t: Task, at: At) -> bool:
    """Whether t waits there and has received no signal."""
    return s.at[t] == at and s.sig[t] == Sig.WAIT


def busy(k: Const, s: Stream, t: Task, at: At) -> bool:
    """Whether a task other than t is there: it waits, or was woken or cancelled and has not run yet."""
    return any(s.at[w] == at for w in k.tasks if w != t)


def freed(k: Const, s: Stream) -> int:
    """How much room receives have made that the sender does not know of; lost bytes make none."""
    return k.capacity - s.room - len(s.flight) - len(s.unread) - len(s.lost)


def wake(k: Const, s: Stream, at: At) -> Stream:
    """Wake the tasks that wait there."""
    return replace(s, sig=s.sig | {w: Sig.WOKEN for w in k.tasks if waits(s, w, at)})


def idle(s: Stream, t: Task) -> Stream:
    """t no longer waits."""
    return replace(
        s,
        at=s.at | {t: At.IDLE},
        sig=s.sig | {t: Sig.WAIT},
        want=s.want | {t: 0},
        rest=s.rest | {t: ()},
    )


def place(e: Side) -> At:
    """Where tasks wait that use this end."""
    return At.SEND if e == Side.SENDER else At.RECEIVE


def peer(e: Side) -> Side:
    return Side.RECEIVER if e == Side.SENDER else Side.SENDER


# Results of calls.


def sent_all(k: Const, s: Stream, t: Stream, w: Task) -> tuple[Said, ...]:
    """No result while it waits."""
    if busy(k, s, w, At.SEND):
        return (Said.BUSY,)
    if t.at[w] == At.SEND:
        return ()
    if s.status[Side.SENDER] == Status.CLOSED:
        return (Said.CLOSED,)
    if s.status[Side.SENDER] == Status.RESET or s.ended:
        return (Said.BROKEN,)
    return (Said.DONE,)


def sent_at_once(k: Const, s: Stream, t: Stream, w: Task, data: Bytes) -> tuple[Said, ...]:
    return sent_all(k, s, t, w)


def ended(k: Const, s: Stream, t: Stream, w: Task) -> tuple[Said, ...]:
    """As for a send, but ending twice is no error."""
    if s.status[Side.SENDER] == Status.OPEN and not busy(k, s, w, At.SEND):
        return (Said.DONE,)
    return sent_all(k, s, t, w)


def received(k: Const, s: Stream, t: Stream, w: Task) -> tuple[Bytes | Said, ...]:
    """The bytes that it takes, none at the end of the data; no result while it waits."""
    if busy(k, s, w, At.RECEIVE):
        return (Said.BUSY,)
    if t.at[w] == At.RECEIVE:
        return ()
    if s.status[Side.RECEIVER] == Status.CLOSED:
        return (Said.CLOSED,)
    if t.got == s.got and not s.end:
        return (Said.BROKEN,)
    return (back(t.got, len(s.got)),)


def received_at_once(k: Const, s: Stream, t: Stream, w: Task, n: Size) -> tuple[Bytes | Said, ...]:
    return received(k, s, t, w)


def done(k: Const, s: Stream, t: Stream, w: Task, e: Side) -> tuple[Said, ...]:
    return (Said.DONE,)


def cancelled(k: Const, s: Stream, t: Stream, w: Task) -> tuple[Said, ...]:
    return (Said.CANCELLED,)


# Where calls must be possible.


def calls(k: Const, s: Stream, t: Task) -> bool:
    """Whether t is in no call."""
    return s.at[t] == At.IDLE


def closes(k: Const, s: Stream, t: Task, e: Side) -> bool:
    """Whether t is in no call; it closes an end."""
    return s.at[t] == At.IDLE


def inside(k: Const, s: Stream, t: Task) -> bool:
    """Whether t is in a call that has not returned."""
    return s.at[t] != At.IDLE


def receives(k: Const, s: Stream, t: Task, n: Size) -> bool:
    """Whether t is in no call; it asks for n bytes."""
    return s.at[t] == At.IDLE


def sends(k: Const, s: Stream, t: Task, data: Bytes) -> bool:
    """Whether t is in no call, and the model allows so many bytes more."""
    return s.at[t] == At.IDLE and len(s.sent) + len(data) <= k.total


@ends.assume
def some_room(k: Const) -> bool:
    """STREAM-20: There is room for a byte; a receive asks for at least one; with a size, all smaller ones from 1 on are
    sizes too; a model sends no negative number of bytes.
    [the result of a receive of no bytes would look like the end; defined]"""
    return (
        k.capacity >= 1
        and k.total >= 0
        and any(n == 1 for n in k.sizes)
        and all(n >= 1 and (n == 1 or any(m + 1 == n for m in k.sizes)) for n in k.sizes)
    )


@ends.init
def fresh(k: Const, s: Stream) -> bool:
    """STREAM-21: A new connection is open at both ends, all its room is known, nothing is in it, no task waits.
    [RFC 9293, 3.3.2, ESTABLISHED; documented]"""
    return (
        (s.sent == () and s.flight == () and s.unread == () and s.got == () and s.lost == ())
        and (s.room == k.capacity and not s.ended and not s.end)
        and all(s.status[e] == Status.OPEN and e not in s.resets for e in (Side.SENDER, Side.RECEIVER))
        and all(s.at[t] == At.IDLE and s.sig[t] == Sig.WAIT for t in k.tasks)
        and all(s.want[t] == 0 and s.rest[t] == () for t in k.tasks)
    )


# The sender's end.


def offer(k: Const, s: Stream, t: Task, data: Bytes) -> Iterator[Stream]:
    """The network takes as much of t's data as it has room for; t waits with the rest."""
    if s.status[Side.SENDER] != Status.OPEN or s.ended:
        yield idle(s, t)
    else:
        taken = front(data, s.room)
        yield replace(
            s,
            sent=s.sent + taken,
            flight=s.flight + taken,
            room=s.room - len(taken),
            at=s.at | {t: At.SEND if len(taken) < len(data) else At.IDLE},
            sig=s.sig | {t: Sig.WAIT},
            rest=s.rest | {t: back(data, s.room)},
        )


@ends.action(answer=sent_at_once, changes="sent flight room at[t] rest[t]", whenever=sends)
def send_all(k: Const, s: Stream, t: Task, data: Bytes) -> Iterator[Stream]:
    """STREAM-22: A send gives the network as many bytes as there is room for, and waits while bytes are left.  It is an
    error after the end, after a reset, at a closed end, and while another task sends; then nothing changes.
    [RFC 9293, 3.8.6, the window, and 3.9.1.2, Send; one task at a time: this project; defined]"""
    if s.at[t] == At.IDLE:
        if busy(k, s, t, At.SEND):
            yield s
        elif len(s.sent) + len(data) <= k.total:
            yield from offer(k, s, t, data)


@ends.action(fair=True, hidden=True, answer=sent_all, changes="sent flight room at[t] sig[t] rest[t]")
def send_resume(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-23: A woken sender continues with the rest of its bytes, or fails with the reason why it cannot.
    [RFC 9293, 3.8.6, the window; documented]"""
    if s.at[t] == At.SEND and s.sig[t] == Sig.WOKEN:
        yield from offer(k, s, t, s.rest[t])


@ends.action(answer=ended, changes="ended", whenever=calls)
def send_eof(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-24: The sender ends the data; bytes that were sent still arrive, and the other direction goes on.
    [RFC 9293, 3.6, "CLOSE is an operation meaning 'I have no more data to send'"; documented]"""
    if s.at[t] == At.IDLE:
        if s.status[Side.SENDER] == Status.OPEN and not busy(k, s, t, At.SEND):
            yield replace(s, ended=True)
        else:
            yield s


# The receiver's end.


def take(k: Const, s: Stream, t: Task, n: int) -> Iterator[Stream]:
    """t takes up to n of the bytes that have arrived; else it sees the end or a reset; else it waits."""
    if s.status[Side.RECEIVER] == Status.CLOSED:
        yield idle(s, t)
    elif len(s.unread) > 0:
        for m in k.sizes:
            if m <= n and m <= len(s.unread):
                yield replace(idle(s, t), got=s.got + front(s.unread, m), unread=back(s.unread, m))
    elif s.end or s.status[Side.RECEIVER] == Status.RESET:
        yield idle(s, t)
    else:
        yield replace(s, at=s.at | {t: At.RECEIVE}, sig=s.sig | {t: Sig.WAIT}, want=s.want | {t: n})


@ends.action(answer=received_at_once, changes="got unread at[t] want[t]", whenever=receives)
def receive_some(k: Const, s: Stream, t: Task, n: Size) -> Iterator[Stream]:
    """STREAM-25: A receive takes up to n of the bytes that have arrived, even after a reset; when there are none it
    returns the end, fails, or waits.  While another task receives it is an error, and nothing changes.
    [RFC 9293, 3.9.1.3, Receive; one task at a time: this project; defined]"""
    if s.at[t] == At.IDLE:
        if busy(k, s, t, At.RECEIVE):
            yield s
        else:
            yield from take(k, s, t, n)


@ends.action(fair=True, hidden=True, answer=received, changes="got unread at[t] sig[t] want[t]")
def receive_resume(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-26: A woken receiver checks again, and waits again when there is nothing.
    [select(2), BUGS, a descriptor that is reported ready and is not; documented]"""
    if s.at[t] == At.RECEIVE and s.sig[t] == Sig.WOKEN:
        yield from take(k, s, t, s.want[t])


# Both ends.


def leave(k: Const, s: Stream, e: Side, resets: bool) -> Stream:
    """Close the end and, with `resets`, reset the other one: the tasks that wait there are woken, and bytes that the
    receiver has not taken are lost."""
    resetting = s.resets | {peer(e)} if resets and s.status[e] == Status.OPEN else s.resets
    q = replace(wake(k, s, place(e)), status=s.status | {e: Status.CLOSED}, resets=resetting)
    return replace(q, unread=(), lost=s.unread + s.lost) if e == Side.RECEIVER else q


@ends.action(answer=done, changes="unread lost ended resets status[e] sig", whenever=closes)
def aclose(k: Const, s: Stream, t: Task, e: Side) -> Iterator[Stream]:
    """STREAM-27: A close at the sender's end ends the data; at the receiver's end, with bytes unread, it resets the
    sender.  Tasks that wait there get an error.  Closing twice changes nothing.
    [RFC 9293, 3.6.1, and RFC 2525, 2.17; documented]"""
    if s.at[t] == At.IDLE:
        if s.status[e] == Status.CLOSED:
            yield s
        elif e == Side.SENDER:
            yield replace(leave(k, s, e, False), ended=s.ended or s.status[e] == Status.OPEN)
        else:
            yield leave(k, s, e, len(s.unread) > 0)


@ends.action(answer=done, changes="unread lost resets status[e] sig", whenever=closes)
def abort(k: Const, s: Stream, t: Task, e: Side) -> Iterator[Stream]:
    """STREAM-28: An abort closes the end and resets the other; at a closed end it changes nothing.
    [RFC 9293, 3.9.1.6, Abort; documented]"""
    if s.at[t] == At.IDLE:
        if s.status[e] == Status.CLOSED:
            yield s
        else:
            yield leave(k, s, e, True)


@ends.action(changes="sig[t]", whenever=inside)
def cancel(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-29: A waiting task is cancelled, before or after it was woken; a second cancel changes nothing.
    [asyncio.Task.cancel, which arranges for one CancelledError at the next step; documented]"""
    if s.at[t] != At.IDLE:
        yield replace(s, sig=s.sig | {t: Sig.CANCELLED})


@ends.action(fair=True, hidden=True, answer=cancelled, changes="at[t] sig[t] want[t] rest[t]")
def unwind(k: Const, s: Stream, t: Task) -> Iterator[Stream]:
    """STREAM-30: A cancelled task leaves its place, which is free from then on.
    [asyncio.Task.cancel; documented]"""
    if s.sig[t] == Sig.CANCELLED:
        yield idle(s, t)
