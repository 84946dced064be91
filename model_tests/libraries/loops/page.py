"""The page of the loops, and a badge for each, from the stored results."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from ...conformance.findings.badge import badge
from ...conformance.judge import State
from .held import LoopResult
from .table import LOOPS

#: The files of `make loops`.
STORED: Final = Path(__file__).with_name("loops.json")
PAGE: Final = Path(__file__).with_name("LOOPS.md")
BADGES: Final = Path(__file__).with_name("badges")
HEAD: Final = """# Event loops held to asyncio's rules

Written by `make loops`.  Each row is an event loop in the place of asyncio's, under the conformance kit: the numbers of
rules that are held (but for [known bugs of asyncio](../FINDINGS.md)), differ in timing (the documentation
leaves it free), are broken, are not judged, or are not exercised (they need a clock that can be replaced, or a method
that the loop lacks).  A rule counts as broken only if a short test fails on the loop and passes on asyncio, run twice
on each Python of the row, and a test of nothing passes on the loop.  The tests are below.

A project may show its badge: `loopspec conform SUBJECT --badge FILE` makes one.  It counts the rules that are not
broken, of those that were judged.

| loop | version | Python | held | timing | broken | not judged | not exercised | badge |
|---|---|---|---|---|---|---|---|---|
"""


def read() -> dict[str, LoopResult]:
    """Return the stored results, by the names of the loops."""
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else []
    return {each["name"]: LoopResult.read(each) for each in stored}


def write(results: Mapping[str, LoopResult]) -> None:
    """Store results, and write the page and the badges of loops that were run."""
    every = [results[loop.name] for loop in LOOPS if loop.name in results]
    STORED.write_text(json.dumps([each.stored() for each in every], indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(every), encoding="utf-8")
    BADGES.mkdir(exist_ok=True)
    for each in every:
        if each.pythons:
            (BADGES / file_of(each)).write_text(badge_of(each), encoding="utf-8")


def badge_of(result: LoopResult) -> str:
    """Return the badge of a loop."""
    return badge(f"{result.name} {result.version} on Python {result.pythons[0]}", result.counts)


def file_of(result: LoopResult) -> str:
    """Return the name of the badge of a loop."""
    return re.sub(r"\W+", "-", result.name) + ".svg"


def page(results: Sequence[LoopResult]) -> str:
    """Return the page of these results."""
    ran = [each for each in results if each.pythons]
    parts = [HEAD + "".join(map(row, ran))]
    notes = {loop.name: loop.note for loop in LOOPS if loop.note}
    parts += ["\n".join(f"- {each.name}: {notes[each.name]}" for each in ran if each.name in notes)]
    parts += [text for each in ran for text in broken(each)]
    if absent := [each for each in results if not each.pythons]:
        parts += ["## On no Python here", "\n".join(why(each) for each in absent)]
    return "\n\n".join(part.rstrip() for part in parts if part) + "\n"


def row(result: LoopResult) -> str:
    """Return the row of a loop."""
    counts = result.counts
    held = counts[State.HELD] + counts[State.KNOWN]
    rest = (counts[state] for state in (State.TIMING, State.BROKEN, State.OPEN, State.ABSENT))
    shown = f"![badge](badges/{file_of(result)})"
    cells = (result.name, result.version, ", ".join(result.pythons), held, *rest, shown)
    return f"| {' | '.join(map(str, cells))} |\n"


def broken(result: LoopResult) -> Iterator[str]:
    """Yield the parts of the page about broken rules."""
    for finding in result.broken:
        yield f"## {result.name}: {finding.rules[0]}"
        yield f"{finding.said[0].upper()}{finding.said[1:]}."
        if len(finding.rules) > 1:
            yield f"Through the same cause: {', '.join(finding.rules[1:])}."
        yield f"```text\n{finding.code.strip()}\n```"


def why(result: LoopResult) -> str:
    """Return why a loop was not run."""
    return f"- {result.name}: {'; '.join(f'{python}: {said}' for python, said in result.refused.items())}"
