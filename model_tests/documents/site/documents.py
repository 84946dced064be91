"""Which document of the checkout is which page of the site; paths are relative to the checkout, and to the site."""

from __future__ import annotations

from typing import Final

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
