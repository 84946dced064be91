"""Which document of the checkout is which page of the site; paths are relative to the checkout, and to the site.

The specification is a page for each chapter: parts of the document that `loopspec explain` writes.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from spec.kit.render.document import document
from spec.kit.render.markdown import anchors
from spec.promises import PROMISES
from spec.registry import REGISTRY

from ...dev.pythons import ROOT
from ...libraries.finding import FINDINGS

#: The folder of the documents that are there for the site.
HERE: Final = "model_tests/documents/site"
#: The entrances, in the order of the navigation: page and title.
ENTRANCES: Final = {
    "flaky.md": "My async test is flaky",
    "race.md": "Find the race in my program",
    "queue.md": "Hold my queue to the rules",
    "specify.md": "Write a specification",
    "crawl.md": "Crawl a site",
    "teach.md": "Teach it",
}
#: The pages that go into details: document, page, title.
GUIDES: Final = (
    ("spec/README.md", "tutorial.md", "Tutorial of the specification"),
    ("spec/LIMITER.md", "limiter.md", "A rate limiter, from the specification to the bug"),
    ("impl/ladder/README.md", "ladder.md", "A walk up the ladder"),
    (f"{HERE}/loop.md", "loop.md", "The loop as a library"),
    (f"{HERE}/programs.md", "programs.md", "Unmodified programs"),
    (f"{HERE}/notebook.ipynb", "notebook.md", "In a notebook"),
    (f"{HERE}/options.md", "options.md", "Options, and pyproject.toml"),
    (f"{HERE}/conformance.md", "conformance.md", "The conformance kit"),
    (f"{HERE}/crawler.md", "crawler.md", "The crawler"),
    ("impl/DIFFERENCES.md", "differences.md", "Differences from CPython"),
    ("model_tests/documents/order/ORDER.md", "order.md", "The order of events"),
)
EVIDENCE: Final = (
    ("model_tests/libraries/FINDINGS.md", "findings/index.md", "Findings"),
    ("model_tests/libraries/HUNT.md", "hunt.md", "The hunt"),
    ("model_tests/libraries/LIBRARIES.md", "libraries.md", "Public subjects"),
    ("model_tests/libraries/loops/LOOPS.md", "loops.md", "Event loops"),
    ("model_tests/libraries/suites/SUITES.md", "suites.md", "Suites of libraries"),
    ("model_tests/programs/vectors/FORMAT.md", "vectors.md", "The format of the vectors"),
)
PROJECT: Final = (
    ("CONTRIBUTING.md", "contributing.md", "Contributing"),
    ("CHANGELOG.md", "changelog.md", "Changelog"),
)
#: The document that `loopspec explain` writes, and that is split into chapters; no file of the checkout.
SPECIFICATION: Final = "spec/SPECIFICATION.md"
#: The chapter of a file of the checkout that `loopspec explain --brief` has written.
BRIEF: Final = {"spec/queue/README.md": "specification/queue.md"}


def pages() -> dict[str, str]:
    """Return the page of each document that is one page."""
    found = {"README.md": "index.md", **{f"{HERE}/{name}": name for name in ENTRANCES}}
    found |= {document: page for part in (GUIDES, EVIDENCE, PROJECT) for document, page, _ in part}
    return found | {each.file.relative_to(ROOT).as_posix(): f"findings/{each.name}.md" for each in FINDINGS}


# --- the specification ------------------------------------------------------------------------------------------------

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
