"""Source files as pages of HTML, with an anchor for each line, and folders as lists of their files."""

import posixpath
import shutil
from html import escape
from pathlib import Path
from typing import Final

from ...dev.pythons import ROOT
from .links import PICTURES, source_page

#: The template of a page, for str.format.
PAGE: Final = Path(__file__).with_name("source.html").read_text(encoding="utf-8")
#: A folder's page lists its folders and these files, and counts the others.
LISTED: Final = (".py", ".md")


def write(files: dict[str, None], folder: Path) -> None:
    """Write the pages of these files and folders of the checkout, and of all files that a folder lists.

    Parameters:
        files: paths relative to the checkout.
        folder: that of all pages.
    """
    waiting = list(files)
    done = set()
    while waiting:
        file = waiting.pop()
        if file in done:
            continue
        done.add(file)
        place = folder / source_page(file)
        place.parent.mkdir(parents=True, exist_ok=True)
        if file.endswith(PICTURES):
            shutil.copyfile(ROOT / file, place)
        elif (ROOT / file).is_dir():
            inside = [path for path in sorted((ROOT / file).iterdir()) if not path.name.startswith(("__py", "."))]
            shown = [path for path in inside if path.suffix in LISTED or path.is_dir()]
            waiting += [f"{file}/{path.name}" for path in shown]
            place.write_text(_page(file, _listing(shown, len(inside) - len(shown))), encoding="utf-8")
        else:
            place.write_text(_page(file, _numbered(ROOT / file)), encoding="utf-8")


def _page(file: str, body: str) -> str:
    home = posixpath.relpath("index.html", posixpath.dirname(source_page(file)))
    return PAGE.format(title=escape(file), home=home, body=body)


def _listing(paths: list[Path], others: int) -> str:
    ends = {path: "/index.html" if path.is_dir() else ".html" for path in paths}
    rows = [f'<li><a href="{escape(path.name)}{end}">{escape(path.name)}</a></li>' for path, end in ends.items()]
    more = [f"<li>and {others} of other kinds</li>"] if others else []
    return "<ul>\n{}\n</ul>".format("\n".join([*rows, *more]))


def _numbered(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    return "<pre>{}</pre>".format(
        "\n".join(f'<span id="L{number}">{escape(line)}</span>' for number, line in enumerate(lines, 1))
    )
