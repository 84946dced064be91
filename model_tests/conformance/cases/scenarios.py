"""The scenarios of queues, locks, conditions, events and barriers, for the enumeration (`programs/enumeration.py`).

There is one for each way to wait at each primitive, with the rules that a difference most likely breaks.  The
statements that follow an interleaving show the state of the primitive.  `awaiting.py` has the scenarios of
futures.
"""

from collections.abc import Iterator
from typing import Final

from ...programs.enumeration import BrokenRules, Scenario
from ...programs.vectors.scenario import scenario, tried

GET: Final = "await q.get()"
PUT: Final = "await q.put('#')"
JOIN: Final = "await q.join()"
TAKE: Final = "q.get_nowait()"
DONE: Final = "q.task_done()"
#: A task that joins the queue from the beginning.
ALL: Final = "all = create_task(q.join())"


def put(*items: int) -> str:
    return "; ".join(f"q.put_nowait({item})" for item in items)


def queues() -> Iterator[Scenario]:
    for kind, order in (("Queue", "QUEUE-1"), ("LifoQueue", "QUEUE-28"), ("PriorityQueue", "QUEUE-29")):
        yield from getters_and_putters(kind, order)
        yield from joiners(kind)
        yield from shut_down(kind)
    yield from both_sides()


def getters_and_putters(kind: str, order: str) -> Iterator[Scenario]:
    new, narrow, wide = (f"q = {kind}({maxsize})" for maxsize in ("", 1, 2))
    rules = f"{order} QUEUE-5 QUEUE-3 QUEUE-18"
    yield scenario(f"{kind}.get", rules, new, GET, put(2), put(1), after=TAKE, moves="nk", other=TAKE)
    twice, all_taken = f"{GET}; {GET}", f"{TAKE}; {TAKE}"
    hand = put(2, 3, 1), put(4)
    yield scenario(f"{kind}.get twice", rules, new, twice, *hand, after=all_taken, waiters=(1, 2))
    rules, before = f"{order} QUEUE-21 QUEUE-3 QUEUE-18", f"{narrow}; {put(5)}"
    after = f"{TAKE}; turn(3); {TAKE}; turn(3); {TAKE}"
    yield scenario(f"{kind}.put", rules, before, PUT, TAKE, after=after, moves="nk", other=put(7))
    before, after = f"{wide}; {put(5, 3)}", f"{TAKE}; {TAKE}; turn(3); {TAKE}"
    yield scenario(f"{kind}(2).put", rules, before, PUT, all_taken, after=after)


def joiners(kind: str) -> Iterator[Scenario]:
    rules, reports = "QUEUE-14 QUEUE-7 QUEUE-6 QUEUE-17", tried(DONE) * 2
    before, hand = f"q = {kind}(); {put(1)}", (f"{TAKE}; {DONE}", put(2))
    after = f"late = create_task(q.join()); turn(2)\n{reports}"
    yield scenario(f"{kind}.join", rules, before, JOIN, *hand, after=after, moves="n", waiters=(1, 2, 3))
    before, works = f"q = {kind}(); {put(2, 1)}; {ALL}", f"{GET}; turn()\n{reports}"
    yield scenario(f"{kind}.join, workers", rules, before, works, put(3), after=reports)


def shut_down(kind: str) -> Iterator[Scenario]:
    name, since, taken = f"{kind}.shutdown", (3, 13), tried(TAKE)
    rules, narrow, shut = "QUEUE-30 QUEUE-32 QUEUE-30 QUEUE-32", f"q = {kind}(1)", "q.shutdown()"
    hand = put(1), shut, tried(put(2)), taken
    yield scenario(name, rules, narrow, GET, *hand, after=taken, moves="n", since=since)
    before, after = f"{narrow}; {put(5)}", f"{taken}turn(3)\n{taken}{tried(DONE)}"
    yield scenario(f"{name}, putters", rules, before, PUT, shut, taken, after=after, moves="n", since=since)
    rules, before = "QUEUE-31 QUEUE-31 QUEUE-31 QUEUE-31", f"q = {kind}(); {put(1, 2)}; {ALL}"
    at_once, after = "q.shutdown(immediate=True)", tried(DONE) + taken
    yield scenario(f"{name} at once", rules, before, JOIN, at_once, taken, after=after, since=since)


def both_sides() -> Iterator[Scenario]:
    """Yield scenarios where one task gets and another puts, or a getter tries again."""
    rules, new, works = "QUEUE-23 QUEUE-21 QUEUE-4 QUEUE-27", "q = Queue(1)", f"{PUT}; {GET}; {DONE}"
    yield scenario("Queue(1), one puts, one gets", rules, new, works, put(1), TAKE, after=tried(TAKE))
    rules, again = "QUEUE-4 QUEUE-5 QUEUE-3 QUEUE-18", f"try: {GET}\nexcept CancelledError: {GET}"
    name, hand = "Queue.get, a cancel caught", (put(1), put(2))
    yield scenario(name, rules, "q = Queue()", again, *hand, after=TAKE, waiters=(2,))


def locks() -> Iterator[Scenario]:
    for name, permits, value, order in (
        ("Lock", 1, "LOCK-7", "LOCK-10"),
        ("Semaphore(1)", 1, "LOCK-6", "LOCK-10"),
        ("Semaphore(2)", 2, "LOCK-6", "SEM-2"),
        ("BoundedSemaphore(1)", 1, "SEM-3", "LOCK-10"),
        ("BoundedSemaphore(2)", 2, "SEM-3", "LOCK-10"),
    ):
        new, others = f"s = {name}" + "()" * (name == "Lock"), f"LOCK-8 {order} LOCK-5"
        acquire, release, see = "await s.acquire()", "s.release()", "see(s)"
        taken, after = "\n".join([new, *[acquire] * permits]), f"{tried(release)}{see}"
        rules, used = f"{value} {others}", f"{see}; {acquire}; {release}"
        yield scenario(f"{name}.acquire", rules, taken, acquire, release, after=after, moves="n")
        held = f"{acquire}\ntry: turn()\nfinally: {release}"
        title = f"{name}, held a turn"
        yield scenario(title, rules, taken, held, release, after=after, moves="nk", other=used)
        title, block = f"{name}, free", "async with s: turn()"
        yield scenario(title, f"LOCK-1 {others}", new, block, used, after=after, moves="n")
        title, hand = f"{name}, handed by hand", (f"{release}; {see}; {acquire}", release)
        waits = f"{acquire}; {see}; {release}"
        yield scenario(title, f"LOCK-2 {others}", taken, waits, *hand, after=after)


def conditions() -> Iterator[Scenario]:
    rules = BrokenRules("COND-1", "COND-1", "COND-1", "COND-5", "COND-6", also=("COND-9",))
    new, see, waits = "c = Condition()", "see(c)", "async with c: await c.wait(); see(c)"
    caught = "async with c:\n try: await c.wait()\n finally: see(c)"
    notify, notify_all = "async with c: c.notify()", "async with c: c.notify_all()"
    lock, free = "await c.acquire()", "c.release()"
    yield scenario("Condition.notify", rules, new, waits, notify, moves="n", after=see)
    yield scenario("Condition.notify(2)", rules, new, waits, "async with c: c.notify(2)", after=see)
    yield scenario("Condition.notify_all", rules, new, waits, notify_all, moves="n")
    held, last = "COND-4 COND-1 COND-1 COND-4 COND-6", tried(free)
    yield scenario("Condition, the lock held", held, new, caught, f"{lock}; c.notify()", free, after=last)
    name, rule = "Condition, a cancel with a message", "COND-5 COND-1 COND-1 COND-5 COND-6"
    hand = f"{lock}; c.notify_all()", "a.cancel('why')", free
    yield scenario(name, rule, new, caught, *hand, after=last, waiters=(1, 2))
    before, waits = "l = Lock(); c = Condition(l)", "async with l: await c.wait()"
    on_the_lock = "async with l: c.notify(); turn(2)"
    yield scenario("Condition of a lock", held, before, waits, on_the_lock, after="see(l)")
    before, waits = f"{new}; e = Event()", "async with c: await c.wait_for(getattr(e, 'is_set'))"
    rule, texts = "COND-7 COND-7 COND-1 COND-5", (before, waits, notify_all, f"e.set()\n{notify}")
    yield scenario("Condition.wait_for", rule, *texts, after=f"e.set()\n{notify_all}")


def levels() -> Iterator[Scenario]:
    new, wait, on, off = "e = Event()", "await e.wait()", "e.set()", "e.clear()"
    rules = "EVENT-1 EVENT-1 EVENT-1 EVENT-1"
    yield scenario("Event.set", rules, new, wait, on, moves="n")
    yield scenario("Event.set, clear", "EVENT-4", new, wait, f"{on}; {off}", moves="n")
    yield scenario("Event.set, later clear", "EVENT-3", new, f"{wait}; {wait}", on, off, moves="n")
    yield scenario("Event, set before", "EVENT-2", f"{new}; {on}", wait, off, on, waiters=(1, 2))
    two, see, passes = "b = Barrier(2)", "see(b)", tried("await b.wait(); turn(); see(b)")
    again, reset = passes + tried("await b.wait()"), "await b.reset()"
    twice = "BARRIER-5 BARRIER-5 BARRIER-5 BARRIER-4"
    for name, rules, hand in (
        ("two", "BARRIER-1 BARRIER-1 BARRIER-1 BARRIER-4", [see]),
        ("reset", "BARRIER-2 - - BARRIER-4", [reset]),
        ("abort", "BARRIER-3 - - BARRIER-4", ["await b.abort()", reset]),
    ):
        yield scenario(f"Barrier, {name}", rules, two, passes, *hand, moves="n", after=see)
        yield scenario(f"Barrier of three, {name}", rules, "b = Barrier(3)", passes, *hand, waiters=(3,))
        yield scenario(f"Barrier twice, {name}", twice, two, again, *hand, after=see)


SCENARIOS: Final = [*queues(), *locks(), *conditions(), *levels()]
