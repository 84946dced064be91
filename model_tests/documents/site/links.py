"""Links between documents as links between pages, and a link for each rule that a text names.

A link to a document that is a page becomes a link to that page; one to any other file or folder of the checkout becomes
a link to a page with its source (sources.py), which is written because something links to it.
"""

import posixpath
import re
from collections.abc import Collection, Mapping
from typing import Final

from spec.kit.rules import NAMED

from ...dev.pythons import ROOT

#: The parts of a document that matter: text that is left as it is, links, and rules.
TOKEN: Final = re.compile(
    r"(?P<kept>^```[^\n]*\n.*?^```$|^#+ [^\n]*$|<!--.*?-->|^<iframe [^\n]*$|(?:^    [^\n]*\n)+)"
    r"|(?P<shown>!?\[(?:`[^`]*`|[^\]`])*\])\((?P<target>[^\s()]+)\)"
    r"|(?P<code>`[^`\n]+`)"
    rf"|(?P<rule>{NAMED.pattern})"
    r"|(?P<file>(?<![\w/])(?:spec|impl|model_tests)/[\w/]+\.py)(?::(?P<line>\d+))?",
    re.DOTALL | re.MULTILINE,
)
#: Files that are shown as they are, not as text.
PICTURES: Final = (".svg", ".png")


class NoSuchFile(Exception):
    """A document links to a file that is not in the checkout; `str` names both."""


class Links:
    """The links of a site: each rule and some documents are pages; collects the sources that are linked.

    Parameters:
        pages: the page of each document.
        rules: all rules; the page of `QUEUE-5` is `rules/QUEUE-5.md`.
        made: all pages.
        parts: document#anchor -> page, for a document that is split into pages.
    """

    def __init__(
        self,
        pages: Mapping[str, str],
        rules: Collection[str],
        made: Collection[str],
        parts: Mapping[str, str],
    ) -> None:
        self._pages, self._rules, self._parts = pages, rules, parts
        self._made = frozenset(made)
        #: The files and folders of the checkout that some page links to.
        self.sources: dict[str, None] = {}

    def markdown(self, text: str, page: str, document: str = "") -> str:
        """Return the text of a page, which is a document or made for the site, with links to other pages.

        Raises:
            NoSuchFile: a link leads nowhere.
        """

        def replaced(found: re.Match[str]) -> str:
            if found["target"]:
                return f"{found['shown']}({self.target(found['target'], page, document)})"
            if found["rule"] in self._rules and rule_page(found["rule"]) != page:
                return f"[{found['rule']}]({_relative(rule_page(found['rule']), page)})"
            if found["file"] and (ROOT / found["file"]).is_file():
                line = f"#L{found['line']}" if found["line"] else ""
                return f"[{found[0]}]({_relative(self.source(found['file']), page)}{line})"
            return found[0]

        return TOKEN.sub(replaced, text)

    def target(self, target: str, page: str, document: str) -> str:
        """Return a link of a document, or of a page that is made for the site, as a link of the page.

        /PATH is a document of the checkout, or a page of the site that is no document.

        Raises:
            NoSuchFile: it leads nowhere.
        """
        if re.match(r"[a-z]+:", target):
            return target
        path, _, fragment = target.partition("#")
        # A path from the top begins with /: posixpath.join then drops the folder before it.
        whole = posixpath.join("/", posixpath.dirname(document), path)
        file = posixpath.normpath(whole).lstrip("/") if path else document
        anchor = f"#{fragment}" if fragment else ""
        if part := self._parts.get(f"{file}{anchor}"):
            return f"{_relative(part, page)}{anchor}" if part != page else anchor or posixpath.basename(page)
        if file in self._made:
            return f"{_relative(file, page)}{anchor}"
        if file in self._pages:
            return anchor if file == document and anchor else f"{_relative(self._pages[file], page)}{anchor}"
        if not (ROOT / file).exists():
            raise NoSuchFile(f"{document} links to {target}, and there is no {file}")
        return f"{_relative(self.source(file), page)}{anchor}"

    def source(self, file: str) -> str:
        """Return the page of a file or folder that is no document, which will be written."""
        self.sources[file] = None
        return source_page(file)


def rule_page(rule: str) -> str:
    """Return the page of a rule."""
    return f"rules/{rule}.md"


def source_page(file: str) -> str:
    """Return the page that shows a file or a folder of the checkout; a picture is its own."""
    if file.endswith(PICTURES):
        return f"source/{file}"
    return f"source/{file}/index.html" if (ROOT / file).is_dir() else f"source/{file}.html"


def _relative(target: str, page: str) -> str:
    return posixpath.relpath(target, posixpath.dirname(page) or ".")
