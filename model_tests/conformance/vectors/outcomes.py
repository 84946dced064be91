"""The outcomes of a program that the rules allow: a set of lists of lines, as FORMAT.md describes it.

The lists of a graph of states (states.py) are joined into an automaton that shares all that is equal: a set of
thousands of lists, which differ in the order of a few lines, has some tens of states.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import impl

from ...programs.freedoms import designs
from ...programs.vectors.vector import Vector
from ..normal import BEGINS, Line, NormalForm, strings
from .states import ANY, END, ChoiceGraph, TooLarge

# `Any` in this file: JSON.

#: The most runs of a search, and the most lists of a set that are written one by one.
RUNS: Final = 300
LISTS: Final = 3_000
#: All names have freedoms, but for Task: which of two messages of a cancel counts would double many sets.
BRINGS: Final = frozenset(impl.__all__) - {"Task"}
#: Errors that leave the loop: their lines have no place among the others.
_LEAVE: Final = frozenset({"SystemExit", "KeyboardInterrupt"})


def outcomes(vector: Vector, expected: list[Line], most: int = RUNS) -> dict[str, Any]:
    """Return the outcomes of a vector: the keys `free`, `more` and `outcomes` of FORMAT.md.

    Parameters:
        expected: the lines of the reference.
        most: how many runs are searched; if that is too few, `outcomes` is None.
    """
    form = NormalForm(vector.program, vector.rules)
    free = {"messages": not form.messages, "reports": not form.reports, "actors": form.by_actor}
    told = {"free": [name for name, is_free in free.items() if is_free]}
    try:
        sets, first = _searched(vector, form, most)
        if first == ANY:
            raise TooLarge  # anything is right: there is nothing to judge
    except TooLarge:
        return {**told, "more": [], "outcomes": None}
    numbers: dict[str, int] = {}
    for line in form.of(expected):
        numbers.setdefault(json.dumps(line), len(numbers))
    more, states = sets.written(first, numbers)
    return {**told, "more": more, "outcomes": states}


def _searched(vector: Vector, form: NormalForm, most: int) -> tuple[Lists, int]:
    """Return the sets of a vector, and the number of its own.

    Raises:
        TooLarge: the search, or a set that is written one by one, is too large.
    """
    sets, said = Lists(), frozenset(strings(vector.program))
    by_line = not form.by_actor and _LEAVE.isdisjoint(said)
    found = sets.union(
        sets.of(
            ChoiceGraph(vector.program, names, most),
            lambda lines: noted(form.of(lines) if by_line else lines),
        )
        for names in designs(BRINGS, said)
    )
    if by_line:
        return sets, found
    every = list(sets.lists(found, LISTS))
    return sets, sets.union(sets.after(form.of(lines), sets.empty) for lines in every)


def noted(lines: list[Line]) -> list[Line]:
    """Return lines without those of turns that begin: a task may take more turns, or fewer."""
    return [line for line in lines if line[2:] != [BEGINS, "turn"]]


def member(lines: Sequence[Line], expected: Sequence[Line], more: Sequence[Line], states: Any) -> bool:
    """Return whether lines in normal form are in the set of a vector, by the rule of FORMAT.md."""
    numbers = {json.dumps(line): number for number, line in enumerate(numbered(expected, more))}
    at = {0}
    for line in lines:
        number = numbers.get(json.dumps(line))
        at = {to for state in at if state >= 0 for of, to in pairs(states[state]) if of == number}
        if ANY in at:
            return True
    return END in at


def numbered(expected: Sequence[Line], more: Sequence[Line]) -> list[Line]:
    """Return the lines of a vector by number: each different line of `expected`, then those of `more`."""
    return [*map(json.loads, dict.fromkeys(map(json.dumps, expected))), *more]


def pairs(state: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a state: the number of a line, and the next state."""
    return zip(state[::2], state[1::2], strict=True)


class Lists:
    """Sets of lists of lines, as the states of an automaton without cycles that share all that is equal.

    A state is a number; `edges[state]` has the next state for each line, by the number of the line in `lines`.  In a
    state of `ends` the list may end.  The state ANY accepts everything.
    """

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.edges: list[tuple[tuple[int, int], ...]] = []
        self.ends: list[bool] = []
        self._numbers: dict[tuple[bool, tuple[tuple[int, int], ...]], int] = {}
        self._unions: dict[frozenset[int], int] = {}
        #: The set of the empty list.
        self.empty = self._made(True, {})

    def _made(self, end: bool, edges: Mapping[int, int]) -> int:
        key = (end, tuple(sorted(edges.items())))
        if key not in self._numbers:
            self._numbers[key] = len(self.edges)
            self.edges.append(key[1])
            self.ends.append(end)
        return self._numbers[key]

    def after(self, lines: Sequence[Line], to: int) -> int:
        """Return the set of the lists of the set `to`, each after some lines."""
        for line in reversed(lines):
            to = self._made(False, {self.lines.setdefault(json.dumps(line), len(self.lines)): to})
        return to

    def union(self, sets: Iterable[int]) -> int:
        """Return the union of sets."""
        of = frozenset(sets)
        if len(of) == 1 or ANY in of:
            return ANY if ANY in of else min(of)
        if of not in self._unions:
            following: dict[int, set[int]] = {}
            for each in sorted(of):
                for line, to in self.edges[each]:
                    following.setdefault(line, set()).add(to)
            edges = {line: self.union(to) for line, to in following.items()}
            self._unions[of] = self._made(any(self.ends[each] for each in of), edges)
        return self._unions[of]

    def of(self, graph: ChoiceGraph, lines: Callable[[list[Line]], list[Line]]) -> int:
        """Return the set of the lists of lines of a graph, each edge's in the form that `lines` gives them.

        Raises:
            TooLarge: the program may go on without end.
        """
        found: dict[int, int | None] = {END: self.empty, ANY: ANY}

        def state(number: int) -> int:
            if number not in found:
                found[number] = None  # until it is known: a path that comes here again is a circle
                edges = graph.edges[number].values()
                found[number] = self.union([self.after(lines(edge.lines), state(edge.to)) for edge in edges])
            known = found[number]
            if known is None:
                raise TooLarge
            return known

        before = sys.getrecursionlimit()
        sys.setrecursionlimit(before + 5 * len(graph.edges))
        try:
            return state(0)
        finally:
            sys.setrecursionlimit(before)

    def lists(self, of: int, most: int) -> Iterator[list[Line]]:
        """Yield the lists of a set.

        Raises:
            TooLarge: there are more, or one may go on in any way.
        """
        lines = list(map(json.loads, self.lines))
        left: list[tuple[int, tuple[int, ...]]] = [(of, ())]
        while left:
            at, before = left.pop()
            if at == ANY or len(left) > most or most < 0:
                raise TooLarge
            if self.ends[at]:
                most -= 1
                yield [lines[number] for number in before]
            left += [(to, (*before, number)) for number, to in reversed(self.edges[at])]

    def written(self, first: int, numbers: Mapping[str, int]) -> tuple[list[Line], list[list[int]]]:
        """Return the lines that `numbers` lacks, and the states of a set by number, as FORMAT.md has them."""
        number_of, more, texts = dict(numbers), list[Line](), list(self.lines)
        order, places, states = [first], {first: 0}, list[list[int]]()
        for at in order:  # it grows meanwhile
            states.append([])
            for line, to in self.edges[at]:
                if texts[line] not in number_of:
                    number_of[texts[line]] = len(number_of)
                    more.append(json.loads(texts[line]))
                ways = [ANY] if to == ANY else [END] * self.ends[to]
                if to != ANY and self.edges[to]:
                    if to not in places:
                        places[to] = len(order)
                        order.append(to)
                    ways.append(places[to])
                for way in ways:
                    states[-1] += number_of[texts[line]], way
        return more, states
