"""The specification, a page for each chapter: parts of the document that `loopspec explain` writes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from spec.kit.render.document import document
from spec.kit.render.markdown import anchors
from spec.promises import PROMISES
from spec.registry import REGISTRY

from ...dev.pythons import ROOT
from .documents import BRIEF, SPECIFICATION

#: The head of the document, with its contents and its notation.
HEAD: Final = "specification/index.md"
#: A heading; or a block of code, where a comment of Python would look like one.
_HEADING: Final = re.compile(r"^```.*?^```$|^(#+) ([^\n]*)$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Chapter:
    """A page: its title, and its text; each heading has the same anchor as in the document."""

    page: str
    title: str
    text: str


def chapters() -> list[Chapter]:
    """Return the head of the specification, then its chapters."""
    text = document(REGISTRY, (ROOT / SPECIFICATION).parent, PROMISES)
    slugs = iter(anchors([found[2] for found in _headings(text)]))
    text = _replaced(text, lambda found: f"{found[1]} {found[2]} {{#{next(slugs)}}}")
    starts = [found for found in _headings(text) if found[1] == "##"]
    # The contents and the notation are no chapters.
    starts = [found for found in starts if not re.match(r"Contents|Notation", found[2])]
    ends = [*(found.start() for found in starts[1:]), len(text)]
    made = [Chapter(HEAD, "How to read it", text[: starts[0].start()])]
    for found, end in zip(starts, ends, strict=True):
        title = found[2].partition(" {#")[0]
        body = _replaced(text[found.start() : end], lambda each: f"{each[1][1:]} {each[2]}")
        made.append(Chapter(f"specification/{title}.md", title, body))
    return made


def parts(made: Sequence[Chapter]) -> dict[str, str]:
    """Return document#anchor -> page, for each heading."""
    return {
        f"{SPECIFICATION}{anchor}": chapter.page
        for chapter in made
        for anchor in re.findall(r"^#+ .* \{(#[^}]+)\}$", chapter.text, re.MULTILINE)
    } | {SPECIFICATION: HEAD, **BRIEF}


def _headings(text: str) -> list[re.Match[str]]:
    return [found for found in _HEADING.finditer(text) if found[1]]


def _replaced(text: str, heading: Callable[[re.Match[str]], str]) -> str:
    """The text with other headings."""
    return _HEADING.sub(lambda found: heading(found) if found[1] else found[0], text)
