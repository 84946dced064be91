"""A page for each rule: the output of `loopspec explain`, as Markdown with links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from spec.kit.render.markdown import prose

from ..explain.blocks import Block, Code, ListItem, Sentence
from ..explain.entries import Entry, entries
from ..explain.page import head, parts
from .documents import SPECIFICATION
from .links import rule_page

INDEX: Final = "rules/index.md"


def pages(anchors: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the page of each rule and its text.

    Parameters:
        anchors: document#anchor of each heading of the specification.
    """
    stated = {match[0]: anchor for anchor in anchors if (match := re.search(r"(?<=#)[a-z]+-\d+", anchor))}
    for entry in entries().values():
        anchor = stated.get(entry.id.lower(), f"{SPECIFICATION}#promises")
        yield rule_page(entry.id), "\n".join(page(entry, anchor))


def page(entry: Entry, anchor: str) -> Iterator[str]:
    """Yield the lines of the page of a rule; `anchor` is document#anchor of its place in the specification."""
    yield f"# {entry.id}: {prose(entry.title)}"
    yield ""
    yield from markdown(head(entry))
    yield f"[In the specification](/{anchor}), with all others of its chapter; [all rules](/{INDEX})."
    yield ""
    for heading, blocks in parts(entry).items():
        yield f"## {heading}"
        yield ""
        yield from markdown(blocks)


def index() -> Iterator[str]:
    """Yield the lines of the page that lists all rules, specification by specification."""
    yield from ("# All rules", "")
    yield from (
        "By specification.  There are lists [by topic](/topics.md) and [by name of asyncio](/names.md), too.",
        "",
    )
    chapter = ""
    for entry in entries().values():
        if (name := entry.spec.name if entry.spec else "promises") != chapter:
            chapter = name
            yield from ("", f"## {chapter}", "")
        yield row(entry)


def row(entry: Entry) -> str:
    """Return a rule as an item of a list."""
    return f"- {entry.id}: {prose(entry.rule.sentence)}"


def markdown(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the lines of the blocks as Markdown."""
    before: Block | None = None
    for block in blocks:
        if isinstance(before, ListItem) and not isinstance(block, ListItem):
            yield ""
        before = block
        match block:
            case Sentence(text):
                yield from (prose(text), "")
            case ListItem(text):
                yield f"- {prose(text)}"
            case Code(text, language):
                yield from (f"```{language}", text.rstrip(), "```", "")
    yield ""
