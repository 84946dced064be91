"""A finding: the library with its versions, how the bug is found, its plain script, and the output."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: A limit of the design, or a use that the library does not promise to bear.
NO_BUG: Final = "no bug, but a limit: "
#: The folder of the libraries.
FOLDER: Final = Path(__file__).parent
#: The library of a bug of Python's own; its versions are releases.
PYTHON: Final = "CPython"
#: The fence before a script.
SCRIPT: Final = "\n```python\n"


@dataclass(frozen=True, slots=True)
class LibraryFinding:
    """A bug, in a Markdown file of its name with these fields in its front matter."""

    name: str
    #: The distribution with the bug, and the versions that showed it.
    library: str
    versions: tuple[str, ...]
    bug: str
    #: The output of the plain script without the bug, and with it.
    control: str
    shows: str
    #: The rule that it breaks, in our words; "" if it breaks none, as one that is not about asyncio.
    rule: str = ""
    #: The name in programs/differences.py of a bug of CPython.
    failure: str = ""
    #: The module that is the subject; the conformance kit finds the bug with it.
    subject: str = ""
    #: The first Python that has it.
    since: tuple[int, ...] = (3, 11)
    #: The release that has it no more.
    mended: str = ""
    #: An issue that reports it, or why it is none.
    known: str = "not reported when it was found"

    @property
    def folder(self) -> Path:
        """The folder of its library."""
        return FOLDER / self.library.lower().replace("-", "_")

    @property
    def file(self) -> Path:
        """The Markdown file."""
        return self.folder / f"{self.name}.md"

    @property
    def script(self) -> str:
        """The plain script, at the end of the file: it needs asyncio and the library, and nothing else."""
        script = self.file.read_text(encoding="utf-8").rpartition(SCRIPT)[2]
        assert script.endswith("\n```\n"), f"{self.file} does not end with a script"
        return script.removesuffix("```\n")


def read(text: str, name: str) -> LibraryFinding:
    """Return the finding that the front matter of a Markdown file describes.

    A field is `name: value`, and goes on in lines that are indented; the value may be in quotes, as in YAML and JSON.
    """
    front, _ = split(text)
    pairs = (line.partition(": ")[::2] for line in front.replace("\n  ", " ").splitlines())
    fields = {key: json.loads(value) if value.startswith('"') else value for key, value in pairs}
    since = tuple(map(int, fields.pop("since", "3.11").split(".")))
    return LibraryFinding(name, versions=tuple(fields.pop("versions").split(", ")), since=since, **fields)


def split(text: str) -> tuple[str, str]:
    """Return the front matter of a document, or "", and the rest."""
    front, _, rest = text.removeprefix("---\n").partition("\n---\n") if text.startswith("---\n") else ("", "", text)
    return front, rest.lstrip("\n")


#: All findings, in the order of their names.
FINDINGS: Final = tuple(
    sorted(
        (read(path.read_text(encoding="utf-8"), path.stem) for path in FOLDER.glob("*/[a-z]*.md")),
        key=lambda each: each.name,
    )
)


def linked(name: str) -> str:
    """Return the link to a finding from a table in the folder of the libraries."""
    found = next(each for each in FINDINGS if each.name == name)
    return f"[{name}]({found.folder.name}/{name}.md)"
