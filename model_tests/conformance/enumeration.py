"""The small-scope enumeration: hand over, cancel, run one turn, in every order, for two and three waiters.

Theory of operation.  Most of the bugs that asyncio has had are one: a resource is handed to a waiter, which is
cancelled before it runs.  So each primitive is a `Room`: how it is set up, what its waiters do, what hands over.  A
*word* is a sequence of moves, one letter each:

    h      hand over: what the room says, the next of its ways each time
    1 2 3  cancel that waiter
    t      run one turn
    n      a newcomer begins to wait
    k      the same as a third, who has its own way (a room's `other`)
    u      take back a request to cancel of the first waiter

All words up to a length are played, from before the waiters began on; the shortest first, so that the first failing
program is about the smallest.  After each word the loop is left alone until nobody moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

# `Any` in this file: programs are JSON (vectors/FORMAT.md).
Statement = list[Any]
Program = dict[str, Any]

WAITERS: Final = "abc"
#: Moves that are made at most so many times in a word.
MOST: Final = {"h": 2, "1": 1, "2": 1, "3": 1, "n": 1, "k": 1, "u": 1, "t": 3}
#: How long words are that begin anyhow, and those in which all waiters wait first, by the number of waiters.
LENGTH: Final = {1: (3, 4), 2: (2, 4), 3: (0, 4)}


@dataclass(frozen=True)
class Rules:
    """The rules that a difference breaks, by its kind: see `attribute.kind_of`; `value` is for what has no kind."""

    value: str
    stuck: str = ""
    order: str = ""
    cancel: str = ""
    lost: str = ""  # stuck, and somebody was cancelled

    def of(self, kind: str) -> str:
        """The rule for a difference of that kind."""
        if kind == "lost":
            return self.lost or self.cancel or self.stuck or self.value
        return str(getattr(self, kind, "")) or self.value

    def all(self) -> list[str]:
        """Each once; first what has no kind."""
        rules = [self.value, self.stuck, self.order, self.cancel, self.lost]
        return [rule for rule in dict.fromkeys(rules) if rule]


@dataclass(frozen=True)
class Room:
    """A primitive and who waits in it.

    `setup` is what main does first, `waits` the body of each waiter, in which X stands for its name and # for its
    number; `other` is the body of one who waits in another way.  `hand` are the ways of handing over, each some
    statements of main, taken in turn; `after` is what main does when the word is over.
    """

    name: str
    rules: Rules
    setup: list[Statement]
    waits: list[Statement]
    hand: list[list[Statement]]
    other: list[Statement] = field(default_factory=list)
    after: list[Statement] = field(default_factory=list)
    bodies: Mapping[str, list[Statement]] = field(default_factory=dict)
    callbacks: Mapping[str, list[Any]] = field(default_factory=dict)
    waiters: tuple[int, ...] = (2, 3)
    moves: str = ""  # beside h, t and cancels, in words that are one shorter
    begun: bool = False  # whether the waiters have begun before the word
    since: tuple[int, int] = (3, 6)  # the first CPython that has its names


def named(part: Any, name: str) -> Any:
    """A statement, with `name` in the place of X, and its number in the place of #."""
    if part == "#":
        return 11 + "abcnk".index(name)
    if isinstance(part, str):
        return part.replace("X", name)
    if isinstance(part, list):
        return [named(p, name) for p in part]
    return {key: named(value, name) for key, value in part.items()} if isinstance(part, dict) else part


@cache
def words(moves: str, anyhow: int, waiting: int) -> list[str]:
    """All words of these moves up to these lengths, shortest first; none ends in a turn, as turns follow anyway.

    A word that begins with a turn, so that the waiters wait, may be longer; then something is handed over in it.
    """
    most = {move: MOST[move] for move in moves}
    found = [""]
    level = [""]
    for length in range(1, waiting + 1):
        level = [word + move for word in level for move in moves if word.count(move) < most[move]]
        found += [
            word
            for word in level
            if word[-1] != "t" and (length <= anyhow or (word[0] == "t" and "h" in word))
        ]
    return found


def begin(who: str) -> Statement:
    return ["let", who, ["create_task", ["body", "waits_" + who]]]


def program(room: Room, waiters: int, word: str) -> Program:
    """What main does in that room by that word."""
    who = WAITERS[:waiters]
    main = [*room.setup, *map(begin, who), *[["turn"]] * room.begun]
    given = 0
    for move in word:
        if move == "h":
            main += room.hand[given % len(room.hand)]
            given += 1
        elif move == "t":
            main.append(["turn"])
        elif move == "n":
            main.append(begin("n"))
        elif move == "k":
            main.append(begin("k"))
        elif move == "u":
            main.append(["do", ["a.uncancel"]])
        else:
            main.append(["do", [WAITERS[int(move) - 1] + ".cancel"]])
    bodies = {"waits_" + name: named(room.waits, name) for name in who + ("n" if "n" in word else "")}
    if "k" in word:
        bodies["waits_k"] = named(room.other, "k")
    if room.after:
        main += [["turn", 6], *room.after]
    return {
        "main": main,
        "bodies": {**bodies, **room.bodies},
        **({"callbacks": dict(room.callbacks)} if room.callbacks else {}),
    }


def of_room(room: Room) -> Iterator[tuple[str, Program]]:
    """The words of a room, with their programs."""
    for waiters in room.waiters:
        cancels = "".join(str(n + 1) for n in range(waiters))
        anyhow, waiting = LENGTH[waiters]
        for word in words("h" + cancels + "t", anyhow, waiting):
            yield f"{waiters} {word}", program(room, waiters, word)
        for extra in room.moves if waiters < 3 else "":
            for word in words(extra + "h" + cancels + "t", anyhow, waiting):
                if extra in word:
                    yield f"{waiters} {word}", program(room, waiters, word)
