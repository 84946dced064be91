"""A test vector as a program of plain asyncio, for readers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..conformance.cases.sources import Case
from ..programs.enumeration import Program
from ..programs.script import ASYNCIO, Script, spoken
from ..programs.shrink import made, said


class Shown(Script):
    """A program as plain asyncio, without the lines that print what it sees."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, ASYNCIO)
        self.things -= {"main"} - said(program)

    def text(self) -> str:
        """Return its functions, main last."""
        return "\n".join(self.functions())

    def functions(self) -> Iterator[str]:
        """Yield the text of each."""
        for name, acts in self.callbacks.items():
            yield (
                f"def {name}(*args):\n"
                + "".join(f"    {self.value(e)}\n" for e in acts)
                + "    ...\n" * (not acts)
            )
        for name, body in {**self.program["bodies"], "main": self.program["main"]}.items():
            names = sorted(made({"main": body, "bodies": {}}))
            shared = f"    global {', '.join(names)}\n" * bool(names and len(self.things) > len(names))
            yield f"async def {self.function(name)}():\n{shared}" + "".join(self.block(name, body, 1))

    def statement(self, actor: str, kind: str, *rest: Any) -> Iterator[str]:
        """Yield the lines of a statement before its blocks."""
        if kind in ("do", "await"):
            yield "await " * (kind == "await") + f"{self.value(rest[0])}\n"
        elif kind == "see":
            yield f"print({rest[0]})\n"
        elif kind == "forget":
            yield f"del {rest[0]}\n"
        elif kind != "with":
            yield from super().statement(actor, kind, *rest)

    def inner(self, kind: str, *rest: Any) -> Iterator[tuple[str, list[Any]]]:
        """Yield the blocks of a statement, each with its head."""
        if kind == "with":
            yield f"async with {self.value(rest[0])}{f' as {rest[1]}' if rest[1] else ''}:", rest[2]
        else:
            yield from super().inner(kind, *rest)


def seen(case: Case) -> str:
    """Return what is seen of a vector, a line each."""
    return "\n".join(f"{spoken(line)}{f'  ({line[0]} ms)' if line[0] else ''}" for line in case.expected)
