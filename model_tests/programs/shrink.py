"""Shrink a failing program.

`shrink(program, still_fails)` tries one step after the other.  It keeps each step after which the program is still
complete and still fails, until no step helps.  A step removes some consecutive statements, replaces a block with its
contents, drops the message of a cancel or a keyword, or lowers a count.  A program is complete if it creates every name
that it uses: an undefined name would be a string.  Bodies and callbacks without a reference are dropped.
Every step makes the program smaller, so shrinking ends; the result need not be the smallest program.
"""

import copy
from collections.abc import Callable, Iterator
from typing import Any

# `Any` in this file: programs are JSON (vectors/FORMAT.md).
Program = dict[str, Any]
Fails = Callable[[Program], bool]


def shrink(program: Program, still_fails: Fails) -> Program:
    """Return the smallest program found from `program` that satisfies `still_fails`, as `program` does."""
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
    """Return the number of statements and of expressions in callbacks, at all depths."""
    blocks = sum(1 for _, _ in statements(program))
    return blocks + sum(len(acts) for acts in program.get("callbacks", {}).values())


def tidy(program: Program) -> Program:
    """Return the program without the bodies and callbacks that it never refers to."""
    program = {"callbacks": {}, **copy.deepcopy(program)}
    while True:
        names = said(program)
        unused = [(part, name) for part in ("bodies", "callbacks") for name in program[part] if name not in names]
        if not unused:
            return program
        for part, name in unused:
            del program[part][name]


# --- names ---------------------------------------------------------------------------------------------------


def made(program: Program) -> set[str]:
    """Return the names that its statements define."""
    names = set()
    for block, place in statements(program):
        kind, *rest = block[place]
        if kind in ("let", "for", "async for"):
            names.add(rest[0])
        elif kind == "with" and rest[1]:
            names.add(rest[1])
    return names


def said(program: Program) -> set[str]:
    """Return the names that it uses, without methods."""
    names: set[str] = set()
    for block, place in statements(program):
        kind, *rest = block[place]
        if kind in ("let", "for", "async for"):
            names |= words(rest[1])
        elif kind == "with":
            names |= words(rest[0])
        elif kind not in ("try", "repeat"):
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


def blocks_in(block: list[Any]) -> list[list[Any]]:
    """Return this list of statements, and all those within its statements."""
    found = [block]
    for statement in block:
        if statement[0] in NESTING:
            for inner in insides(statement):
                found += blocks_in(inner)
    return found


#: The kinds of statements that have statements inside.
NESTING = ("with", "for", "async for", "repeat", "try")


def insides(statement: list[Any]) -> list[list[Any]]:
    """Return the lists of statements inside a statement."""
    kind, *rest = statement
    if kind in ("with", "for", "async for"):
        return [rest[2]]
    if kind == "repeat":
        return [rest[0]]
    if kind == "try":
        return [rest[0], *(handler for _, handler in rest[1]), *rest[2:]]
    return []


def all_blocks(program: Program) -> list[list[Any]]:
    """Return all lists of statements of a program."""
    return [inner for block in (program["main"], *program["bodies"].values()) for inner in blocks_in(block)]


def statements(program: Program) -> Iterator[tuple[list[Any], int]]:
    """Yield the position of each statement: its list, and its index there."""
    for block in all_blocks(program):
        for place in range(len(block)):
            yield block, place


# --- steps ---------------------------------------------------------------------------------------------------


def smaller(program: Program) -> Iterator[Program]:
    """Yield programs with one thing less, the largest removal first."""
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
    for name, acts in program.get("callbacks", {}).items():
        for place in range(len(acts)):
            less = copy.deepcopy(program)
            del less["callbacks"][name][place]
            yield less


def replaced(program: Program, number: int, place: int, length: int, instead: list[Any]) -> Program:
    """Return a copy with other statements at a position of the list with that number."""
    program = copy.deepcopy(program)
    all_blocks(program)[number][place : place + length] = copy.deepcopy(instead)
    return program


def simpler(statement: list[Any]) -> Iterator[list[Any]]:
    """Yield lists of statements that may replace a statement."""
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
