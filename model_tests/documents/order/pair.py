"""A pair of events: a row of `pairs.txt`, with the program that shows their order; and the runs of that program.

There is one on asyncio, and those of the reference with every order that it may have.
"""

import asyncio
import re
from collections.abc import Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent
from typing import Any, Final

import impl
from impl.explore.choices.odometer import Odometer

from ...programs.freedoms import FREE, LOOP, designs
from ...programs.releases import Release, dotted, parsed
from ...programs.virtual_asyncio import VirtualLoop

#: A version has the pairs that are there since then.
VERSIONS: Final = ((3, 11), (3, 12), (3, 13), (3, 14), (3, 15))
#: The events of each program, in their order on asyncio.
IN_ORDER: Final = ["first", "second"]

_FILE: Final = Path(__file__).with_name("pairs.txt")
_HEAD: Final = re.compile(
    r"(documented|settled|accident)(?: ([A-Z]+-\d+))?(?: since (3\.\d+))?((?: (?:asyncio|unordered|kept))*)(?:: (.+))?"
)


@dataclass(frozen=True)
class EventPair:
    """Two events, the standing of their order, and the lines of a coroutine that shows it."""

    name: str
    #: "documented": a sentence says so; "settled": CPython's tests do; "accident": nothing does, or it is undefined.
    standing: str
    #: The rule of the project that says so, if there is one; an accident has none.
    rule: str
    since: Release
    #: asyncio: the reference has no such names; unordered: asyncio has no order; kept: the reference has asyncio's.
    marks: tuple[str, ...]
    #: The sentence, or the test of CPython; of an accident the sentence that leaves it free, or "".
    source: str
    program: str

    def main(self, names: Any, see: Callable[[str], object]) -> Coroutine[Any, Any, None]:  # Any: as asyncio's
        """Return the program on a namespace with asyncio's names; it calls `see` with the names of the events."""
        text = f"async def main():\n    loop = asyncio.get_running_loop()\n{indent(self.program, '    ')}"
        scope: dict[str, Any] = {"asyncio": names, "see": see, "asynccontextmanager": asynccontextmanager}
        exec(compile(text, f"<{self.name}>", "exec"), scope)
        coroutine: Coroutine[Any, Any, None] = scope["main"]()
        return coroutine

    def row(self) -> dict[str, object]:
        """Return the pair as JSON; a version with another order, or without the names, is left out."""
        return {
            "events": self.name,
            "standing": {dotted(each): self.standing for each in VERSIONS if each >= self.since},
            "rule": self.rule,
            "source": self.source,
            "program": self.program,
        }


def pairs(text: str | None = None) -> Iterator[EventPair]:
    """Yield the pairs of a text; None: of the stored one.

    Raises:
        ValueError: a row has no standing, or no program; the line is named.
    """
    text = _FILE.read_text("utf-8") if text is None else text
    line = 1
    for number, row in enumerate(re.split(r"^== ", text, flags=re.MULTILINE)):
        name, head, *program = row.splitlines()
        found = _HEAD.fullmatch(head)
        if number and (found is None or not any(program)):
            raise ValueError(f"{_FILE.name}, line {line}: {name!r} needs a standing, and a program in lines after it")
        line += row.count("\n")
        if found is not None:
            standing, rule, since, marks, source = found.groups(default="")
            shown = dedent("\n".join(program)).strip("\n") + "\n"
            yield EventPair(name, standing, rule, parsed(since or "3.11"), tuple(marks.split()), source, shown)


#: The most runs of the reference, of each design; programs with three waiters of a condition or a queue have more.
RUNS: Final = 1000


def on_asyncio(pair: EventPair) -> list[str]:
    """Return the events in the order of this version of asyncio; in real time if only asyncio can run it."""
    seen: list[str] = []
    with asyncio.Runner(loop_factory=None if "asyncio" in pair.marks else VirtualLoop) as runner:
        runner.get_loop().set_exception_handler(lambda loop, what: None)
        runner.run(pair.main(asyncio, seen.append))
    return seen


def in_reference(pair: EventPair, documented: bool = False) -> Iterator[list[str]]:
    """Yield the events of each run of the reference, with all freedoms; those of `documented` rules alone, if asked."""
    for names in designs([*FREE, *LOOP], FREE, documented):
        odometer, left = Odometer(), RUNS
        while left:
            choices, seen = odometer.choices(), list[str]()
            loop = impl.Loop(choices, "any", ready=names.Order(choices.schedule.pick))
            loop.set_exception_handler(lambda loop, what: None)
            loop.run(pair.main(names, seen.append))
            yield seen
            left = left - 1 if odometer.next() else 0
