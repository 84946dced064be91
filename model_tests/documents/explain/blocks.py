"""The blocks of a page: sentences, items of a list, code; and how a terminal shows them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

#: The columns of prose.
WIDTH: Final = 100
#: The most names in a list.
MOST: Final = 12


@dataclass(frozen=True)
class Sentence:
    """A paragraph, of one sentence or a few."""

    text: str


@dataclass(frozen=True)
class ListItem:
    """One item of a list."""

    text: str


@dataclass(frozen=True)
class Code:
    """Lines that are shown as they are; `language` is that of a fenced block of Markdown."""

    text: str
    language: str = "text"


Block = Sentence | ListItem | Code


def lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the lines of the blocks in a terminal, with an empty one around each block of code."""
    before: Block | None = None
    for block in blocks:
        if before is not None and (isinstance(block, Code) or isinstance(before, Code)):
            yield ""
        before = block
        match block:
            case Sentence(text):
                yield from _wrapped(text)
            case ListItem(text):
                yield from _wrapped(f"- {text}")
            case Code(text):
                yield from textwrap.indent(text.rstrip(), "      ").splitlines()


def items(texts: Sequence[str], most: int = MOST) -> Iterator[ListItem]:
    """Yield the first so many texts as items, and how many more there are."""
    yield from map(ListItem, texts[:most])
    if len(texts) > most:
        yield ListItem(f"and {len(texts) - most} more")


def some(names: Sequence[str]) -> str:
    """Return the first MOST names, and how many more there are."""
    more = len(names) - MOST
    return "; ".join(names[:MOST]) + (f"; and {more} more" if more > 0 else "")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False)
