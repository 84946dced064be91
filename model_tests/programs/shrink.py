"""Makes a failing program small.

Theory of operation.  `shrink(program, still_fails)` tries one step after the other and keeps each after which the
program is still whole and still fails, until no step helps: take out some statements in a row, put the inside of a
block in its place, leave the message of a cancel or a keyword away, count less.  A program is whole if it says no
name of which the making was taken out: a name that nothing has would be a string.  Bodies and callbacks that
nobody names are dropped.  Every step leaves less, so it ends; what is left need not be the smallest there is.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

# `Any` in this file: programs are JSON (vectors/FORMAT.md).
Program = dict[str, Any]
Fails = Callable[[Program], bool]


def shrink(program: Program, still_fails: Fails) -> Program:
    """The smallest program on the way of `program` for which `still_fails` holds; it holds for `program`."""
    names = made(program)
    best = tidy(program)
    if not still_fails(best):
        best = program
    while True:
        for candidate in smaller(best):
            candidate = tidy(candidate)
            if not names & said(candidate) - made(candidate) and still_fails(candidate):
                best = candidate
                break
        else:
            return best


def size(program: Program) -> int:
    """How many statements and expressions of callbacks it has, of all depths."""
    blocks = sum(1 for _, _ in statements(program))
    return blocks + sum(len(acts) for acts in program.get("callbacks", {}).values())


def tidy(program: Program) -> Program:
    """Without the bodies and the callbacks that nobody names."""
    program = {"callbacks": {}, **copy.deepcopy(program)}
    while True:
        names = said(program)
        unused = [
            (part, name) for part in ("bodies", "callbacks") for name in program[part] if name not in names
        ]
        if not unused:
            return program
        for part, name in unused:
            del program[part][name]


# --- names ---------------------------------------------------------------------------------------------------


def made(program: Program) -> set[str]:
    """The names that its statements give."""
    names = set()
    for block, place in statements(program):
        kind, *rest = block[place]
        if kind in ("let", "for", "async for"):
            names.add(rest[0])
        elif kind == "with" and rest[1]:
            names.add(rest[1])
    return names


def said(program: Program) -> set[str]:
    """The names that it uses, methods aside."""
    names: set[str] = set()
    for block, place in statements(program):
        kind, *rest = block[place]
        if kind in ("let", "for", "async for"):
            names |= words(rest[1])
        elif kind == "with":
            names |= words(rest[0])
        elif kind != "try":
            names |= words(rest)
    for acts in program.get("callbacks", {}).values():
        names |= words(acts)
    return names


def words(e: Any) -> set[str]:
    if isinstance(e, str):
        return {e.partition(".")[0]}
    parts = e.values() if isinstance(e, dict) else e if isinstance(e, list) else ()
    return {word for part in parts for word in words(part)}


# --- places --------------------------------------------------------------------------------------------------


def blocks_in(block: list[Any]) -> Iterator[list[Any]]:
    """This list of statements, and all those within its statements."""
    yield block
    for statement in block:
        for inner in insides(statement):
            yield from blocks_in(inner)


def insides(statement: list[Any]) -> list[list[Any]]:
    """The lists of statements of which a statement consists."""
    kind, *rest = statement
    if kind in ("with", "for", "async for"):
        return [rest[2]]
    if kind == "try":
        return [rest[0], *(handler for _, handler in rest[1]), *rest[2:]]
    return []


def all_blocks(program: Program) -> list[list[Any]]:
    """All lists of statements of a program."""
    return [inner for block in (program["main"], *program["bodies"].values()) for inner in blocks_in(block)]


def statements(program: Program) -> Iterator[tuple[list[Any], int]]:
    """Where its statements stand: the list, and the place in it."""
    for block in all_blocks(program):
        for place in range(len(block)):
            yield block, place


# --- steps ---------------------------------------------------------------------------------------------------


def smaller(program: Program) -> Iterator[Program]:
    """Programs with one thing less, the largest first."""
    for number, block in enumerate(all_blocks(program)):
        length = len(block)
        while length:
            for begin in range(0, len(block), length):
                yield replaced(program, number, begin, length, [])
            length //= 2
    for number, block in enumerate(all_blocks(program)):
        for place, statement in enumerate(block):
            for instead in simpler(statement):
                yield replaced(program, number, place, 1, instead)
    for name, acts in program["callbacks"].items():
        for place in range(len(acts)):
            less = copy.deepcopy(program)
            del less["callbacks"][name][place]
            yield less


def replaced(program: Program, number: int, place: int, length: int, instead: list[Any]) -> Program:
    """A copy with other statements in a place of the list of statements of that number."""
    program = copy.deepcopy(program)
    all_blocks(program)[number][place : place + length] = copy.deepcopy(instead)
    return program


def simpler(statement: list[Any]) -> Iterator[list[Any]]:
    """What may stand in place of a statement: lists of statements."""
    yield from insides(statement)
    kind, *rest = statement
    if kind == "try" and rest[2:]:
        yield [[kind, *rest[:2]]]
    if kind == "turn" and rest and rest[0] > 1:
        yield [["turn", rest[0] - 1]]
    if kind == "let" and rest[1][0] in ("ensure_future", "loop.create_task"):
        yield [["let", rest[0], ["create_task", *rest[1][1:]]]]
    if kind in ("do", "await") and isinstance(rest[0], list):
        head, *args = rest[0]
        if args and (head.endswith(".cancel") or isinstance(args[-1], dict)):
            yield [[kind, [head, *args[:-1]]]]
        if head in ("gather", "shield", "wait_for"):
            for arg in args:
                if isinstance(arg, str):
                    yield [[kind, arg]]
