"""Programs of the catalogue with other arguments: the edge values of each parameter, its keyword, its default."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from ...programs.enumeration import Json, Program
from ...programs.vectors.player import text
from .sources import Case, Wanted, all_wanted

#: Times of the clock of the loop, wherever that begins.
TIMES: Final[tuple[Json, ...]] = (["later", 0], ["later", -1], ["later", 0.5])
#: By call: the place and the name of a parameter, and its edge values.
EDGES: Final[dict[str, tuple[int, str, tuple[Json, ...]]]] = {
    **dict.fromkeys(("Queue", "LifoQueue", "PriorityQueue"), (0, "maxsize", (0, -1, True))),
    **dict.fromkeys(("Semaphore", "BoundedSemaphore"), (0, "value", (0, -1, True, 2))),
    "Barrier": (0, "parties", (0, -1, 1, True)),
    "sleep": (0, "delay", (0, -1, 0.5)),
    "wait_for": (1, "timeout", (0, -1, None, 0.5)),
    "timeout": (0, "delay", (0, -1, None, 0.5)),
    "timeout_at": (0, "when", (*TIMES, None)),
    "wait": (1, "timeout", (0, None, 0.5)),
    "as_completed": (1, "timeout", (0, None, 0.5)),
    ".notify": (0, "n", (0, 1, 2, 100)),
    ".reschedule": (0, "when", (*TIMES, None)),
    ".cancel": (0, "msg", (None, "", 5)),
    ".set_name": (0, "value", ("", 5)),
    "create_task": (1, "name", ("", "a name")),
    "gather": (9, "return_exceptions", (True, 1, 0)),
}
#: Parameters that are given by keyword.
KEYWORDS: Final = ("timeout", "msg", "name", "return_exceptions")


def edges(cases: Iterable[Case], wanted: Wanted = all_wanted) -> Iterator[Case]:
    """Yield each of these programs with each edge value, and without the argument, in the first call that takes one.

    Programs that are not wanted are left out.
    """
    for case in cases:
        if not wanted(case.rules, case.since):
            continue
        found: dict[str, list[Json]] = {}
        firsts(case.program, found)
        for head in filter(found.__contains__, EDGES):
            for label, call in variants(found[head]):
                program = with_call(case.program, found[head], call)
                yield replace(case, name=f"{case.name}, {label}", program=program)


def firsts(part: Json, found: dict[str, list[Json]]) -> None:
    """Add to `found`, by the head of EDGES, the first call in a part of a program; a head with a dot is any method."""
    if isinstance(part, dict):
        part = list(part.values())
    if isinstance(part, list):
        called = part[0] if part and isinstance(part[0], str) else ""
        head = called[max(called.rfind("."), 0) :]
        if head in EDGES:
            found.setdefault(head, part)
        for each in part:
            firsts(each, found)


def variants(call: list[Json]) -> Iterator[tuple[str, list[Json]]]:
    """Yield a call with other arguments, each with its label."""
    head = next(name for name in EDGES if call[0] == name or (name[0] == "." and call[0].endswith(name)))
    place, name, values = EDGES[head]
    args = [arg for arg in call[1:] if not isinstance(arg, dict)]
    keywords = {key: value for arg in call[1:] if isinstance(arg, dict) for key, value in arg.items()}
    others = {key: value for key, value in keywords.items() if key != name}
    for value in values if len(args) >= place or name in KEYWORDS else ():
        if name in KEYWORDS:
            yield f"{name}={value}", [call[0], *args[:place], {**others, name: value}]
        else:
            yield (
                f"{name}={text(value)}",
                [call[0], *args[:place], value, *args[place + 1 :], *([others] if others else [])],
            )


def with_call(part: Json, old: list[Json], new: list[Json]) -> Program:
    """Return a part of a program with another call in the place of one."""
    if part is old:
        return new  # type: ignore[return-value]  # a part of a program
    if isinstance(part, dict):
        return {key: with_call(value, old, new) for key, value in part.items()}
    return [with_call(each, old, new) for each in part] if isinstance(part, list) else part  # type: ignore[return-value]
