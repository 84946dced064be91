"""Grouping: findings of one cause are one, and others are named with it.

Programs that are equal, but for the names of tasks and other things, have one cause.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from ...programs.enumeration import Json, Program
from ...programs.shrink import made
from ..attribute import is_own
from ..subjects.subject import ORIGINALS
from .finding import Finding

#: The most findings that are shown: one of each name, and one of each method that hangs if the first one hangs, too.
SHOWN: Final = 4


def form(program: Program) -> str:
    """Return a text that is the same for programs that differ only in the names of their things and bodies."""
    known = made(program) | {*program["bodies"], *program.get("callbacks", {})}
    names: dict[str, str] = {}

    def renamed(part: Json) -> Json:
        if isinstance(part, str):
            name, dot, rest = part.partition(".")
            return names.setdefault(name, f"#{len(names)}") + dot + rest if name in known else part
        if isinstance(part, dict):
            return {key: renamed(value) for key, value in part.items()}
        return [renamed(each) for each in part] if isinstance(part, list) else part

    blocks = {**program["bodies"], **program.get("callbacks", {})}
    parts = [renamed(program["main"])]
    done: set[str] = set()
    while waiting := [name for name in names if name in blocks and name not in done]:
        done.add(waiting[0])
        parts.append([names[waiting[0]], renamed(blocks[waiting[0]])])
    return json.dumps(parts)


def grouped(found: Iterable[Finding], own: set[str], others: Iterable[str]) -> list[Finding]:
    """Return the findings without those that show a cause again, the first one first.

    `own` has the families of the subject's rules; `others` are rules of asyncio's code that break.
    """
    forms: dict[tuple[str, str], Finding] = {}
    for finding in found:
        forms.setdefault((form(finding.program), finding.kind), finding)
    every = list(forms.values())
    mine = [finding for finding in every if is_own(finding.rule, own)] or every
    rules = dict.fromkeys(finding.rule for finding in mine)
    first = {
        rule: min((finding for finding in mine if finding.rule == rule), key=lambda each: each.operations)
        for rule in rules
    }
    causes = of_each_thing(first.values())
    if not causes:
        return []
    also = tuple(rule for rule in first if rule not in {finding.rule for finding in causes})
    every_rule = [*(finding.rule for finding in every), *others]
    because = tuple(dict.fromkeys(rule for rule in every_rule if rule not in first))
    return [replace(causes[0], also=also, because=because), *causes[1:]]


def of_each_thing(found: Iterable[Finding]) -> list[Finding]:
    """Return the first finding of each name, and if that hangs, one that hangs in another method; at most SHOWN.

    asyncio's wrapper around its method is not another one: `wait_for(q.get(), 1)`, or a task, hangs as q.get() does.
    """
    shown: dict[str, Finding] = {}
    for finding in found:
        about = finding.about
        before = shown.setdefault(about, finding)
        its = hasattr(ORIGINALS[about][-1], finding.hangs_in) if about in ORIGINALS else True
        if before.hangs_in and finding.hangs_in not in ("", before.hangs_in) and its:
            shown.setdefault(f"{about} {finding.hangs_in}", finding)
    return list(shown.values())[:SHOWN]


def with_hidden(found: list[Finding], hidden: Iterable[Finding]) -> list[Finding]:
    """Return the findings; the first one has the rules of hidden ones, which are not said to be broken."""
    shown = {rule for each in found for rule in each.rules}
    others = sorted({rule for each in hidden for rule in each.rules} - shown)
    return [replace(each, also=(*each.also, *others)) if each is found[0] else each for each in found]
