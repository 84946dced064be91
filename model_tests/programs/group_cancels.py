"""Cancels of groups for random programs: TaskGroup.cancel before, within and after the block, by code that knows it."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

from .enumeration import Program
from .shrink import blocks_in, statements

# `Any` in this file: programs are JSON.
Block = list[Any]


def with_group_cancels(program: Program, choose: Callable[[int], int]) -> Program:
    """Return a copy of a program that cancels groups, at places that `choose` draws (as in generate.py)."""
    made: Program = copy.deepcopy(program)
    entered = [block[place] for block, place in statements(made) if is_group(block[place])]
    for group in entered:
        name, sites = group[2], [*known_in(made, group[3])]
        for _ in range(choose(4)):
            site = sites[choose(len(sites))]
            site.insert(choose(len(site) + 1), cancel(made, name, choose))
        around, place = next((block, place) for block, place in statements(made) if block[place] is group)
        if not choose(4):
            around.insert(place + 1, cancel(made, name, choose))
        if not choose(6):
            first = [["let", name, group[1]], cancel(made, name, choose)]
            around[place : place + 1] = [*first, ["with", name, None, group[3]]]
    return made


def is_group(statement: Block) -> bool:
    """Return whether a statement is the block of a group with a name."""
    return statement[0] == "with" and statement[1] == ["TaskGroup"] and bool(statement[2])


def cancel(program: Program, group: str, choose: Callable[[int], int]) -> Block:
    """Return a statement that cancels a group now, or by a callback that it adds to the program."""
    call = [f"{group}.cancel"]
    if choose(4):
        return ["do", call]
    callback = f"stop{len(program['callbacks'])}"
    program["callbacks"][callback] = [call]
    return ["do", ["loop.call_soon", callback]]


def known_in(program: Program, block: Block) -> Iterator[Block]:
    """Yield the lists of statements that run after the entry: those of the block, and of the tasks made there."""
    for inner in blocks_in(block):
        yield inner
        for statement in inner:
            if statement[0] == "let" and isinstance(statement[2], list):
                for part in statement[2]:
                    if isinstance(part, list) and part[:1] == ["body"]:
                        yield from known_in(program, program["bodies"][part[1]])
