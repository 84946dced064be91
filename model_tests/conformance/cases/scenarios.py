"""The scenarios of queues, locks, conditions, events and barriers, for the enumeration (`programs/enumeration.py`).

There is one for each way to wait at each primitive, with the rules that a difference most likely breaks.  The
statements that follow an interleaving show what is left in the primitive.  `awaiting.py` has the scenarios of
futures.
"""

from __future__ import annotations

from typing import Final

from ...programs.enumeration import Rules, Scenario, Statement


def put(item: int) -> list[Statement]:
    return [["do", ["q.put_nowait", item]]]


def tried(*statements: Statement) -> list[Statement]:
    """Try statements that may raise; go on in any case."""
    return [["try", list(statements), [["Exception", []]]]]


GET: Final[Statement] = ["await", ["q.get"]]
TAKE: Final[Statement] = ["do", ["q.get_nowait"]]
DONE: Final[Statement] = ["do", ["q.task_done"]]


def queues() -> list[Scenario]:
    scenarios = []
    for kind, order in (("Queue", "QUEUE-1"), ("LifoQueue", "QUEUE-28"), ("PriorityQueue", "QUEUE-29")):
        new: Statement = ["let", "q", [kind]]
        narrow: Statement = ["let", "q", [kind, 1]]
        scenarios += [
            *getters(kind, order, new),
            *putters(kind, order, narrow),
            *joiners(kind, new),
            *shut_down(kind, new, narrow),
        ]
    return scenarios + both_sides()


def getters(kind: str, order: str, new: Statement) -> list[Scenario]:
    getting = Rules(order, "QUEUE-5", "QUEUE-3", "QUEUE-18")
    return [
        Scenario(
            f"{kind}.get", getting, [new], [GET], [put(2), put(1)], after=[TAKE], moves="nk", other=[TAKE]
        ),
        Scenario(
            f"{kind}.get twice",
            getting,
            [new],
            [GET, GET],
            [put(2) + put(3) + put(1), put(4)],
            after=[TAKE, TAKE],
            waiters=(1, 2),
        ),
    ]


def putters(kind: str, order: str, narrow: Statement) -> list[Scenario]:
    putting = Rules(order, "QUEUE-21", "QUEUE-3", "QUEUE-18")
    return [
        Scenario(
            f"{kind}.put",
            putting,
            [narrow, *put(5)],
            [["await", ["q.put", "#"]]],
            [[TAKE]],
            after=[TAKE, ["turn", 3], TAKE, ["turn", 3], TAKE],
            moves="nk",
            other=put(7),
        ),
        Scenario(
            f"{kind}(2).put",
            putting,
            [["let", "q", [kind, 2]], *put(5), *put(3)],
            [["await", ["q.put", "#"]]],
            [[TAKE, TAKE]],
            after=[TAKE, TAKE, ["turn", 3], TAKE],
        ),
    ]


def joiners(kind: str, new: Statement) -> list[Scenario]:
    joining = Rules("QUEUE-14", "QUEUE-7", "QUEUE-6", "QUEUE-17")
    return [
        Scenario(
            f"{kind}.join",
            joining,
            [new, *put(1)],
            [["await", ["q.join"]]],
            [[TAKE, DONE], put(2)],
            after=[["let", "late", ["create_task", ["q.join"]]], ["turn", 2], *tried(DONE), *tried(DONE)],
            moves="n",
            waiters=(1, 2, 3),
        ),
        Scenario(
            f"{kind}.join, workers",
            joining,
            [new, *put(2), *put(1), ["let", "all", ["create_task", ["q.join"]]]],
            [GET, ["turn"], *tried(DONE), *tried(DONE)],
            [put(3)],
            after=[*tried(DONE), *tried(DONE)],
        ),
    ]


def shut_down(kind: str, new: Statement, narrow: Statement) -> list[Scenario]:
    return [
        Scenario(
            f"{kind}.shutdown",
            Rules("QUEUE-30", "QUEUE-32", "QUEUE-30", "QUEUE-32"),
            [narrow],
            [GET],
            [put(1), [["do", ["q.shutdown"]]], *[tried(*put(2)), tried(TAKE)]],
            after=tried(TAKE),
            moves="n",
            since=(3, 13),
        ),
        Scenario(
            f"{kind}.shutdown, putters",
            Rules("QUEUE-30", "QUEUE-32", "QUEUE-30", "QUEUE-32"),
            [narrow, *put(5)],
            [["await", ["q.put", "#"]]],
            [[["do", ["q.shutdown"]]], tried(TAKE)],
            after=[*tried(TAKE), ["turn", 3], *tried(TAKE), *tried(DONE)],
            moves="n",
            since=(3, 13),
        ),
        Scenario(
            f"{kind}.shutdown at once",
            Rules("QUEUE-31", "QUEUE-31", "QUEUE-31", "QUEUE-31"),
            [new, *put(1), *put(2), ["let", "all", ["create_task", ["q.join"]]]],
            [["await", ["q.join"]]],
            [[["do", ["q.shutdown", {"immediate": True}]]], tried(TAKE)],
            after=[*tried(DONE), *tried(TAKE)],
            since=(3, 13),
        ),
    ]


def both_sides() -> list[Scenario]:
    """Return scenarios in which one task gets and another puts, or a getter tries again."""
    mixed = Rules("QUEUE-23", "QUEUE-21", "QUEUE-4", "QUEUE-27")
    return [
        Scenario(
            "Queue(1), one puts, one gets",
            mixed,
            [["let", "q", ["Queue", 1]]],
            [["await", ["q.put", "#"]], GET, DONE],
            [put(1), [TAKE]],
            after=tried(TAKE),
        ),
        Scenario(
            "Queue.get, a cancel caught",
            Rules("QUEUE-4", "QUEUE-5", "QUEUE-3", "QUEUE-18"),
            [["let", "q", ["Queue"]]],
            [["try", [GET], [["CancelledError", [["await", ["q.get"]]]]]]],
            [put(1), put(2)],
            after=[TAKE],
            waiters=(2,),
        ),
    ]


def locks() -> list[Scenario]:
    scenarios = []
    kinds: list[tuple[str, list[object], int, Rules]] = [
        ("Lock", ["Lock"], 1, Rules("LOCK-7", "LOCK-8", "LOCK-10", "LOCK-5")),
        ("Semaphore(1)", ["Semaphore", 1], 1, Rules("LOCK-6", "LOCK-8", "LOCK-10", "LOCK-5")),
        ("Semaphore(2)", ["Semaphore", 2], 2, Rules("LOCK-6", "LOCK-8", "SEM-2", "LOCK-5")),
        ("BoundedSemaphore(1)", ["BoundedSemaphore", 1], 1, Rules("SEM-3", "LOCK-8", "LOCK-10", "LOCK-5")),
        ("BoundedSemaphore(2)", ["BoundedSemaphore", 2], 2, Rules("SEM-3", "LOCK-8", "LOCK-10", "LOCK-5")),
    ]
    for name, new, permits, rules in kinds:
        acquire: Statement = ["await", ["s.acquire"]]
        release: Statement = ["do", ["s.release"]]
        taken = [["let", "s", new], *[acquire] * permits]
        held_a_turn = [acquire, ["try", [["turn"]], [], [release]]]
        hand = [[release]]
        after = [*tried(release), ["see", "s"]]
        scenarios += [
            Scenario(f"{name}.acquire", rules, taken, [acquire], hand, after=after, moves="n"),
            Scenario(
                f"{name}, held a turn",
                rules,
                taken,
                held_a_turn,
                hand[:permits],
                after=after,
                moves="nk",
                other=[["see", "s"], acquire, release],
            ),
            Scenario(
                f"{name}, free",
                Rules("LOCK-1", rules.stuck, rules.order, rules.cancel),
                taken[:1],
                [["with", "s", None, [["turn"]]]],
                [[["see", "s"], acquire, release]],
                after=after,
                moves="n",
            ),
            Scenario(
                f"{name}, handed by hand",
                Rules("LOCK-2", rules.stuck, rules.order, rules.cancel),
                taken,
                [acquire, ["see", "s"], release],
                [[release, ["see", "s"], acquire], [release]],
                after=after,
            ),
        ]
    return scenarios


def conditions() -> list[Scenario]:
    rules = Rules("COND-1", "COND-1", "COND-1", "COND-5", "COND-6", also=("COND-9",))
    new: Statement = ["let", "c", ["Condition"]]
    waits: Statement = ["with", "c", None, [["await", ["c.wait"]], ["see", "c"]]]
    caught: Statement = ["with", "c", None, [["try", [["await", ["c.wait"]]], [], [["see", "c"]]]]]

    def notify(*call: object) -> Statement:
        return ["with", "c", None, [["do", ["c." + str(call[0]), *call[1:]]]]]

    lock: list[Statement] = [["await", ["c.acquire"]]]
    free: list[Statement] = [["do", ["c.release"]]]
    return [
        Scenario(
            "Condition.notify", rules, [new], [waits], [[notify("notify")]], moves="n", after=[["see", "c"]]
        ),
        Scenario("Condition.notify(2)", rules, [new], [waits], [[notify("notify", 2)]], after=[["see", "c"]]),
        Scenario("Condition.notify_all", rules, [new], [waits], [[notify("notify_all")]], moves="n"),
        Scenario(
            "Condition, the lock held",
            Rules("COND-4", "COND-1", "COND-1", "COND-4", "COND-6"),
            [new],
            [caught],
            [[*lock, ["do", ["c.notify"]]], free],
            after=tried(*free),
            bodies={},
        ),
        Scenario(
            "Condition, a cancel with a message",
            Rules("COND-5", "COND-1", "COND-1", "COND-5", "COND-6"),
            [new],
            [caught],
            [[*lock, ["do", ["c.notify_all"]]], [["do", ["a.cancel", "why"]]], free],
            after=tried(*free),
            waiters=(1, 2),
        ),
        Scenario(
            "Condition of a lock",
            Rules("COND-4", "COND-1", "COND-1", "COND-4", "COND-6"),
            [["let", "l", ["Lock"]], ["let", "c", ["Condition", "l"]]],
            [["with", "l", None, [["await", ["c.wait"]]]]],
            [[["with", "l", None, [["do", ["c.notify"]], ["turn", 2]]]]],
            after=[["see", "l"]],
        ),
        Scenario(
            "Condition.wait_for",
            Rules("COND-7", "COND-7", "COND-1", "COND-5"),
            [new, ["let", "e", ["Event"]]],
            [["with", "c", None, [["await", ["c.wait_for", ["getattr", "e", "is_set"]]]]]],
            [[notify("notify_all")], [["do", ["e.set"]], notify("notify")]],
            after=[["do", ["e.set"]], notify("notify_all")],
        ),
    ]


def levels() -> list[Scenario]:
    event = Rules("EVENT-1", "EVENT-1", "EVENT-1", "EVENT-1")
    barrier = Rules("BARRIER-1", "BARRIER-1", "BARRIER-1", "BARRIER-4")
    new: Statement = ["let", "e", ["Event"]]
    wait: Statement = ["await", ["e.wait"]]
    on: list[Statement] = [["do", ["e.set"]]]
    off: list[Statement] = [["do", ["e.clear"]]]
    pass_: list[Statement] = tried(["await", ["b.wait"]], ["turn"], ["see", "b"])
    again: list[Statement] = [*pass_, *tried(["await", ["b.wait"]])]
    two: Statement = ["let", "b", ["Barrier", 2]]
    scenarios = [
        Scenario("Event.set", event, [new], [wait], [on], moves="n"),
        Scenario("Event.set, clear", Rules("EVENT-4"), [new], [wait], [[*on, *off]], moves="n"),
        Scenario("Event.set, later clear", Rules("EVENT-3"), [new], [wait, wait], [on, off], moves="n"),
        Scenario("Event, set before", Rules("EVENT-2"), [new, *on], [wait], [off, on], waiters=(1, 2)),
    ]
    for name, rules, hand in (
        ("two", barrier, [[["see", "b"]]]),
        ("reset", Rules("BARRIER-2", cancel="BARRIER-4"), [[["await", ["b.reset"]]]]),
        (
            "abort",
            Rules("BARRIER-3", cancel="BARRIER-4"),
            [[["await", ["b.abort"]]], [["await", ["b.reset"]]]],
        ),
    ):
        scenarios += [
            Scenario(f"Barrier, {name}", rules, [two], pass_, hand, moves="n", after=[["see", "b"]]),
            Scenario(
                f"Barrier of three, {name}", rules, [["let", "b", ["Barrier", 3]]], pass_, hand, waiters=(3,)
            ),
            Scenario(
                f"Barrier twice, {name}",
                Rules("BARRIER-5", "BARRIER-5", "BARRIER-5", "BARRIER-4"),
                [two],
                again,
                hand,
                after=[["see", "b"]],
            ),
        ]
    return scenarios


SCENARIOS: Final = [*queues(), *locks(), *conditions(), *levels()]
