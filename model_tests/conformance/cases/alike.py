"""Programs like those of the catalogue, with the lines of impl: of another class, or with time to rest.

A program of a queue is one of a LifoQueue, too, and one of a timeout one of a timeout_at.  Where main lets others run
for a turn, a second makes sure that all that are to wait do wait: in a turn, a right implementation need not have come
so far.
"""

from collections.abc import Collection, Iterator
from typing import Final

from ...programs.enumeration import Json
from ..attribute import FAMILIES, USES, is_own
from ..normal import strings
from .sources import Case, catalogue

#: By class, those with the same methods, so that it can take their place.
ALIKE: Final = {
    "LifoQueue": ("Queue",),
    "PriorityQueue": ("Queue",),
    "Semaphore": ("Lock",),
    "BoundedSemaphore": ("Lock", "Semaphore"),
}
#: The classes that a program has only one object of.
CLASSES: Final = frozenset({*ALIKE, "Queue", "Lock", "Condition", "Event", "Barrier"})
#: A statement of main's in the place of one that gives up some turns.
SECOND: Final = ["await", ["sleep", 1]]


def alike(brings: Collection[str]) -> Iterator[Case]:
    """Yield these programs of the names that a subject brings."""
    for case in catalogue():
        yield from at_rest(case)
        for name in sorted(ALIKE.keys() & set(brings)):
            yield from with_class(case, name)
        if "timeout_at" in brings and "timeout" not in brings and "timeout" in strings(case.program):
            yield Case(f"{case.name}, with timeout_at", until(case.program), case.rules, case.kinds, case.since)


def at_rest(case: Case) -> Iterator[Case]:
    """Yield the program of a case with a second in the place of the turns of main's, if there are any.

    When a thing is freed that main forgets has nothing to do with waiting.
    """
    main = with_seconds(case.program["main"])
    if main != case.program["main"] and "forget" not in strings(main):
        yield Case(f"{case.name}, at rest", {**case.program, "main": main}, case.rules, case.kinds, case.since)


def until(part: Json) -> Json:
    """Return a part of a program with a timeout until a time in the place of each one after a delay."""
    if isinstance(part, dict):
        return {key: until(value) for key, value in part.items()}
    if not isinstance(part, list):
        return part
    if part[:1] == ["timeout"] and len(part) == 2:
        return ["timeout_at", part[1] if part[1] is None else ["later", part[1]]]
    return [until(each) for each in part]


def with_seconds(part: Json) -> Json:
    """Return a part of a program with a second in the place of each statement that gives up turns."""
    if not isinstance(part, list):
        return part
    return SECOND if part[:1] == ["turn"] else [with_seconds(each) for each in part]


def with_class(case: Case, name: str) -> Iterator[Case]:
    """Yield the program of a case with this class, if it has one that this can stand for, and no other."""
    one, *more = CLASSES.intersection(strings(case.program)) or [""]
    if one in ALIKE[name] and not more:
        rules = dict(USES)[name]
        own = tuple(rule for rule in case.rules if is_own(rule, set(FAMILIES[name]))) or tuple(rules.all())
        yield Case(f"{case.name}, with {name}", exchanged(case.program, one, name), own, rules, case.since)


def exchanged(part: Json, old: str, new: str) -> Json:
    """Return a part of a program with the calls of one name in the place of another's."""
    if isinstance(part, dict):
        return {key: exchanged(value, old, new) for key, value in part.items()}
    if isinstance(part, list):
        return [new if each == old else exchanged(each, old, new) for each in part]
    return part
