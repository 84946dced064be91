"""All pages together, and the generator that makes HTML of them: MkDocs, from the extra `site`."""

import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from ...conformance.vectors.matrix import Column
from ...dev.pythons import ROOT, run_command
from ...libraries.finding import split
from ..explain.entries import entries
from . import api, names, notebook, pythons, rules, sources
from .documents import ENTRANCES, EVIDENCE, GUIDES, PROJECT, SPECIFICATION, Chapter, chapters, pages, parts
from .links import Links

CONFIGURATION: Final = Path(__file__).with_name("mkdocs.yml")
#: A file that the generator always makes.
MADE: Final = "search/search_index.json"
NAMES, TOPICS, PYTHONS = "names.md", "topics.md", "pythons.md"

#: An entry of the navigation: a title, and a page or the entries below it.
Navigation = list[dict[str, "str | Navigation"]]


class SiteError(Exception):
    """The generator made no site; `str` says why."""


def texts(
    made: Sequence[Chapter], columns: Sequence[Column], reports: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Yield the pages: page, the document that it is, or "", and text.

    Parameters:
        made: the chapters of the specification.
        columns: the results of some CPythons.
        reports: the reports of the searches for findings, by their names.
    """
    for document, page in pages().items():
        _, text = split((ROOT / document).read_text(encoding="utf-8"))
        text = notebook.markdown(text) if document.endswith(".ipynb") else text
        if report := reports.get(Path(page).stem):
            text += f"\n## The report of the search\n\n```text\n{report}```\n"
        yield page, document, text
    for chapter in made:
        yield chapter.page, SPECIFICATION, chapter.text
    for page, text in rules.pages(parts(made)):
        yield page, "", text
    for page, lines in {
        rules.INDEX: rules.index(),
        NAMES: names.page(),
        TOPICS: rules.topics_page(),
        PYTHONS: pythons.page(columns),
    }.items():
        yield page, "", "\n".join(lines)
    for page, text in api.pages():
        yield page, "", text


def write(folder: Path, columns: Sequence[Column], reports: Mapping[str, str]) -> Navigation:
    """Write all pages as Markdown, and the sources that they link to as HTML; return the navigation.

    Raises:
        NoSuchFile: a document links to a file that does not exist.
    """
    made = chapters()
    written = list(texts(made, columns, reports))
    links = Links(pages(), entries(), [page for page, _, _ in written], parts(made))
    for page, document, text in written:
        place = folder / page
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(links.markdown(text, page, document), encoding="utf-8")
    sources.write(links.sources, folder)
    return navigation(made)


def navigation(made: Iterable[Chapter]) -> Navigation:
    """Return the navigation: every page but those of single rules and findings, which others link to."""

    def listed(part: Iterable[tuple[str, str, str]]) -> Navigation:
        return [{title: page} for _, page, title in part]

    entrances = [("", page, title) for page, title in ENTRANCES.items()]
    return [
        {"Start": [{"loopspec": "index.md"}, *listed(entrances)]},
        {"Guides": [*listed(GUIDES), {"API": api.INDEX}]},
        {"Specification": [{chapter.title: chapter.page} for chapter in made]},
        {
            "Rules": [
                {"All": rules.INDEX},
                {"By topic": TOPICS},
                {"By name of asyncio": NAMES},
                {"By CPython": PYTHONS},
            ]
        },
        {"Evidence": listed(EVIDENCE)},
        {"Project": listed(PROJECT)},
    ]


def build(output: Path, columns: Sequence[Column], reports: Mapping[str, str]) -> None:
    """Make the site in a folder, and replace the folder's contents.

    Raises:
        SiteError: the folder holds something else; or the generator is not installed, or gave a warning.
        NoSuchFile: a document links to a file that does not exist.
    """
    if output.exists() and any(output.iterdir()) and not (output / MADE).is_file():
        raise SiteError(f"{output} holds no site: its contents would be lost; name another folder, or empty it")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        nav = write(folder / "docs", columns, reports)
        # JSON is YAML, too.
        told = {
            "INHERIT": str(CONFIGURATION),
            "docs_dir": str(folder / "docs"),
            "site_dir": str(output.resolve()),
            "nav": nav,
        }
        (folder / "mkdocs.yml").write_text(json.dumps(told), encoding="utf-8")
        options = ("build", "--strict", "--quiet", "--config-file", str(folder / "mkdocs.yml"))
        command = [sys.executable, "-m", "mkdocs", *options]
        ran = run_command(*command)
    if ran.returncode or ran.stdout or ran.stderr:
        raise SiteError(f"{ran.stdout}{ran.stderr}".strip())
