"""The blocks of documents and their output: run by tests, and updated by `make docs`.

The documents are the tutorial, the README, and the entrances and guides of the site.  The programs of the README import
the package of the wheel, those of the others the packages of the checkout.  Blocks of Python run one after the other in
one fresh process, as a reader would type them; the text block after one is its output.  They and the blocks of the
console run in a folder outside the project, which holds the files that the document shows.
A comment before a block marks its kind:

    <!-- from: FILE -->     a quotation, word for word
    <!-- file: NAME -->     a file, which is there for all commands

The commands of a tutorial without such programs run one after the other in one folder (`replayed`); it has each file
from the file's block on.

    python -m model_tests.dev.tutorial
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from .pythons import ROOT
from .wheel import stage

PLACE: Final = ROOT / "spec" / "README.md"
LIMITER: Final = ROOT / "spec" / "LIMITER.md"
LADDER: Final = ROOT / "impl" / "ladder" / "README.md"
#: The entrances and guides of the site, and the README, which is its first page.
PAGES: Final = (ROOT / "README.md", *sorted((ROOT / "model_tests" / "documents" / "site").glob("*.md")))
BLOCK: Final = re.compile(
    r"(?:^<!-- (\w+): (\S+) -->\n)?^```(python|console|html)\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?",
    re.DOTALL | re.MULTILINE,
)
#: Lines that a log gets of a test that takes long, on a slow machine.
PROGRESS: Final = re.compile(r"^[\d,]+ programs .* s\n", re.MULTILINE)
#: Runs programs one after the other, as one module; prints the output of each.
SESSION: Final = """
import contextlib, io, json, sys, types
module = sys.modules["tutorial"] = types.ModuleType("tutorial")
del module.__spec__  # a traceback of 3.15 warns of a spec without a loader
printed = []
for program in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(program, "the tutorial", "exec"), vars(module))
    printed.append(out.getvalue())
json.dump(printed, sys.stdout)
"""


class Shell(NamedTuple):
    """The Python that runs blocks, and further folders on its import path."""

    python: Path
    path: tuple[Path, ...] = ()

    def environment(self) -> dict[str, str]:
        """The environment of a process that finds the commands of the Python first."""
        path = f"{self.python.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, self.path)), "PATH": path}


#: That of a checkout.
CHECKOUT: Final = Shell(Path(sys.executable), (ROOT,))


class Block(NamedTuple):
    """The lines between two fences; `mark` and `name` are of the comment before it, `shown` is the text block after
    it.
    """

    mark: str
    name: str
    language: str
    text: str
    shown: str


def blocks(tutorial: str) -> list[Block]:
    """Return all blocks that may be run or quoted, in order."""
    return [Block(*(part or "" for part in found.groups())) for found in BLOCK.finditer(tutorial)]


def programs(all_blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks of Python that are neither quoted nor files."""
    return [block for block in all_blocks if block.language == "python" and not block.mark]


def printed(all_blocks: Sequence[Block], folder: Path, shell: Shell = CHECKOUT) -> list[str]:
    """Return the output of each program.

    Raises:
        CalledProcessError: one fails.
    """
    write_files(all_blocks, folder)
    given = json.dumps([block.text for block in programs(all_blocks)])
    told: list[str] = json.loads(run([shell.python, "-c", SESSION], folder, given, shell=shell).stdout)
    return told


def write_files(all_blocks: Sequence[Block], folder: Path) -> None:
    """Write the files that the tutorial shows."""
    for block in all_blocks:
        if block.mark == "file":
            (folder / block.name).write_text(block.text, encoding="utf-8")


def typed(console: Block, all_blocks: Sequence[Block], folder: Path, shell: Shell = CHECKOUT) -> str:
    """Return a block of the console with the output of its commands.

    A command that begins with .venv/bin/ is typed in the checkout.

    Raises:
        AssertionError: a command writes to standard error, other than how far it is after so many seconds.
    """
    write_files(all_blocks, folder)
    text = ""
    for command in re.findall(r"^\$ (.*)$", console.text, re.MULTILINE):
        here = command.removeprefix(".venv/bin/")
        ran = run(["sh", "-c", here], folder if here == command else ROOT, check=False, shell=shell)
        said = timeless(ran.stderr)
        assert not said, said
        text += f"$ {command}\n{ran.stdout}"
    return text


def replayed(all_blocks: Sequence[Block], folder: Path, shell: Shell = CHECKOUT) -> list[str]:
    """Return the blocks of the console with their output, run in order in that folder."""
    consoles = [number for number, block in enumerate(all_blocks) if block.language == "console"]
    return [typed(all_blocks[number], all_blocks[:number], folder, shell) for number in consoles]


def timeless(text: str) -> str:
    """Return the text without its seconds, and without the lines of progress that a slow machine prints."""
    return re.sub(r" +\d+\.\d\d s\b", " _ s", PROGRESS.sub("", text))


def versionless(text: str) -> str:
    """Return the text without the events, digests and tokens of asyncio programs.

    These counts include the work of asyncio and libraries, which differs between their versions.  Runs of our own
    crawler and loop are the same everywhere.
    """
    text = re.sub(r"\blsac\d+-\S+", "TOKEN", text)
    return re.sub(r"^events: \d+\ndigest: [0-9a-f]{64}\ntoken: lsa\d+-\S+$", "RUN", text, flags=re.MULTILINE)


def same(shown: str, printed: str) -> bool:
    """Return whether a block shows the printed output, but for seconds and versions.

    A line `...` of the block stands for any lines, or none.
    """
    parts = versionless(timeless(shown)).split("\n...\n")
    pattern = r"\n(?:.*\n)*?".join(map(re.escape, parts))
    return re.fullmatch(pattern, versionless(timeless(printed))) is not None


def run(
    command: Sequence[str | Path],
    folder: Path,
    given: str = "",
    *,
    check: bool = True,
    shell: Shell = CHECKOUT,
) -> subprocess.CompletedProcess[str]:
    """Run a command in that folder; our modules and commands are importable from there too.

    `check`: raise CalledProcessError if it fails; otherwise standard error is captured as well.
    """
    told = None if check else subprocess.PIPE  # with `check`, errors appear on our standard error
    return subprocess.run(
        command,
        cwd=folder,
        env=shell.environment(),
        input=given,
        stdout=subprocess.PIPE,
        stderr=told,
        text=True,
        check=check,
    )


def updated(document: str, shell: Shell = CHECKOUT) -> str:
    """Return the document with the current output of its blocks."""
    all_blocks = blocks(document)
    with tempfile.TemporaryDirectory() as name:
        has_programs = bool(programs(all_blocks))
        outputs = iter(printed(all_blocks, Path(name), shell) if has_programs else [])
        consoles = iter([] if has_programs else replayed(all_blocks, Path(name), shell))

        def shown(found: re.Match[str]) -> str:
            block = Block(*(part or "" for part in found.groups()))
            if block.language == "console":
                text = typed(block, all_blocks, Path(name), shell) if has_programs else next(consoles)
                return found[0] if same(block.text, text) else f"```console\n{text}```"
            if block.mark or block.language != "python":
                return found[0]
            output = next(outputs)
            if same(block.shown, output):
                return found[0]
            return f"```python\n{block.text}```" + (f"\n\n```text\n{output}```" if output else "")

        return BLOCK.sub(shown, document)


@contextmanager
def with_wheel() -> Iterator[Shell]:
    """The shell of a checkout, which also finds the package of the wheel."""
    with tempfile.TemporaryDirectory() as name:
        stage(ROOT, Path(name))
        yield Shell(CHECKOUT.python, (ROOT, Path(name)))


def main() -> None:
    """Write the current output of its blocks into each document."""
    with with_wheel() as shell:
        for place in (PLACE, LIMITER, *PAGES):
            place.write_text(updated(place.read_text(encoding="utf-8"), shell), encoding="utf-8")


if __name__ == "__main__":
    main()
