"""The small-scope enumeration: hand over, cancel, run one loop iteration, in every order, with two or three waiters.

Most bugs that asyncio's primitives have had have one shape: a resource is handed to a waiter, and the waiter is
cancelled before it runs.  A `Scenario` describes a primitive: how to set it up, the body of each waiter, how main hands
over.  An *interleaving* is a string of moves, one letter each:

    h      hand over, in the next of the scenario's ways
    1 2 3  cancel that waiter
    t      run one loop iteration
    n      start a newcomer, which waits like the others
    k      start a newcomer with the scenario's other body
    u      uncancel the first waiter

`interleavings` lists all strings up to a length, the shortest first, so that the first program that fails is about
the smallest.  `program` makes one of them a program (vectors/FORMAT.md), which ends when the loop is idle.  The
conformance kit plays all of them (`conformance/cases/sources.py`); the catalogue of vectors has a selection
(`vectors/catalogue/handovers.txt`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple

#: Programs are JSON.
Json = Any
Statement = list[Json]
Program = dict[str, Json]

WAITERS: Final = "abc"
NEWCOMERS: Final = "nk"
#: How often an interleaving may contain each move.
MOST: Final = {"h": 2, "1": 1, "2": 1, "3": 1, "n": 1, "k": 1, "u": 1, "t": 3}
#: By the number of waiters: the maximal length, and the maximal length if the waiters run first and main hands over.
LENGTH: Final = {1: (3, 4), 2: (2, 4), 3: (0, 4)}


@dataclass(frozen=True)
class BrokenRules:
    """The rule that a difference breaks, by the kind of the difference (`conformance/attribute.py`).

    `value` is the rule for all kinds without a rule of their own; `also` are rules that the programs show besides.
    """

    value: str
    stuck: str = ""
    order: str = ""
    cancel: str = ""
    lost: str = ""  # stuck after a cancel
    also: tuple[str, ...] = ()

    def of(self, kind: str) -> str:
        """Return the rule that a difference of this kind breaks."""
        return self.nearest(kind)[0]

    def nearest(self, kind: str) -> list[str]:
        """Return the rules that a difference of this kind may break, the likeliest first."""
        kinds = ("lost", "cancel", "stuck", "value") if kind == "lost" else (kind, "value")
        rules = [str(getattr(self, each, "")) for each in kinds]
        return [rule for rule in dict.fromkeys(rules) if rule]

    def all(self) -> list[str]:
        """Return each rule once, `value` first."""
        rules = [self.value, self.stuck, self.order, self.cancel, self.lost, *self.also]
        return [rule for rule in dict.fromkeys(rules) if rule]


@dataclass(frozen=True)
class Scenario:
    """A primitive with waiters.

    `setup` are main's first statements.  `waits` is the body of each waiter, where X stands for the name of its
    task and # for its number; `other` is the body of the newcomer k.  `hand` are the ways to hand over, each a list
    of statements of main, used in turn; # in them is the number of the move.  `after` follows the interleaving.
    """

    name: str
    rules: BrokenRules
    setup: list[Statement]
    waits: list[Statement]
    hand: list[list[Statement]]
    other: list[Statement] = field(default_factory=list)
    after: list[Statement] = field(default_factory=list)
    bodies: Mapping[str, list[Statement]] = field(default_factory=dict)
    callbacks: Mapping[str, list[Json]] = field(default_factory=dict)
    waiters: tuple[int, ...] = (2, 3)
    moves: str = ""  # moves beside h, t and cancels; only one of them in an interleaving
    begun: bool = False  # whether a loop iteration follows the start of the waiters, and of a newcomer
    since: tuple[int, int] = (3, 6)  # the first CPython that has the names in use


class WaiterReference(NamedTuple):
    """How a program refers to a waiter: its task, its body, and the number that stands for # in the body."""

    task: str
    body: str
    number: int


#: Names the waiter with this letter of WAITERS or NEWCOMERS, the n-th from 0 to be started.
Naming = Callable[[str, int], WaiterReference]


def by_letter(letter: str, place: int) -> WaiterReference:
    """Name a waiter as the kit's programs do."""
    return WaiterReference(letter, "waits_" + letter, 11 + (WAITERS + NEWCOMERS).index(letter))


def filled(part: Json, number: int, name: str = "X") -> Json:
    """Return a part of a program with `number` in place of #, and `name` in place of X."""
    if part == "#":
        return number
    if isinstance(part, str):
        return name + part[1:] if part == "X" or part.startswith("X.") else part
    if isinstance(part, list):
        return [filled(p, number, name) for p in part]
    if isinstance(part, dict):
        return {key: filled(value, number, name) for key, value in part.items()}
    return part


@cache
def interleavings(moves: str, short: int, long: int) -> list[str]:
    """Return the interleavings of these moves, the shortest first; none ends in t, as the loop runs on anyway.

    All have at most `short` moves, but for those that begin with t, so that the waiters wait, and hand over: these
    have at most `long`.
    """
    most = {move: MOST[move] for move in moves}
    found = [""]
    level = [""]
    for length in range(1, long + 1):
        level = [string + move for string in level for move in moves if string.count(move) < most[move]]
        found += [
            string
            for string in level
            if string[-1] != "t" and (length <= short or (string[0] == "t" and "h" in string))
        ]
    return found


def program(
    scenario: Scenario,
    waiters: int,
    interleaving: str,
    naming: Naming = by_letter,
    create_task: str = "create_task",
) -> Program:
    """Return the program of an interleaving; `create_task` is the function that starts the waiters."""
    letters = WAITERS[:waiters] + "".join(letter for letter in NEWCOMERS if letter in interleaving)
    named = {letter: naming(letter, place) for place, letter in enumerate(letters)}

    def start(letter: str) -> Statement:
        return ["let", named[letter].task, [create_task, ["body", named[letter].body]]]

    pause: list[Statement] = [["turn"]] * scenario.begun
    main = [*scenario.setup, *map(start, letters[:waiters]), *pause]
    handed = 0
    for number, move in enumerate(interleaving, 1):
        if move == "h":
            main += filled(scenario.hand[handed % len(scenario.hand)], number)
            handed += 1
        elif move == "t":
            main.append(["turn"])
        elif move in NEWCOMERS:
            main += [start(move), *pause]
        elif move == "u":
            main.append(["do", [named["a"].task + ".uncancel"]])
        else:
            main.append(["do", [named[WAITERS[int(move) - 1]].task + ".cancel"]])
    if scenario.after:
        main += [["turn", 6], *scenario.after]
    bodies = {
        waiter.body: filled(scenario.other if letter == "k" else scenario.waits, waiter.number, waiter.task)
        for letter, waiter in named.items()
    }
    return {
        "main": main,
        "bodies": {**bodies, **scenario.bodies},
        **({"callbacks": dict(scenario.callbacks)} if scenario.callbacks else {}),
    }


def programs(scenario: Scenario) -> Iterator[tuple[str, Program]]:
    """Yield the interleavings of a scenario, each after the number of its waiters, and their programs."""
    for waiters in scenario.waiters:
        cancels = "".join(str(n + 1) for n in range(waiters))
        short, long = LENGTH[waiters]
        for extra in ("", *(scenario.moves if waiters < 3 else "")):
            for interleaving in interleavings(extra + "h" + cancels + "t", short, long):
                if extra in interleaving:
                    yield f"{waiters} {interleaving}", program(scenario, waiters, interleaving)
