"""`make matrix`: which rule holds in which CPython, and the real bugs that the vectors find again.

    python -m model_tests.conformance.vectors.matrix        exit status 1 if a rule is broken and no known bug explains
    it

Every installed release of Python from 3.6 on plays the catalogue of vectors (programs/vectors/play.py, which needs
nothing else).  Where node is there, releases in WebAssembly take the place of versions that are not installed
(dev/releases.py).  A difference from the reference breaks the rule that the vector is about.  The matrix is computed
from scratch: the list of known bugs (programs/vectors/known_bugs.py) only gives names to findings.  A rule that is
broken where no bug is known has BROKEN in the table.

PyPI's asyncio 3.4.3, the oldest that can still be run, plays them too, if pip can install it and Python 3.6 is
available.  It schedules its tasks differently (programs/vectors/ancient.py), so only known bugs are reported among its
differences.
"""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from ...dev.pythons import run_command
from ...dev.releases import NoWasm, compiled, installed, lacking, launcher
from ...programs.releases import Release, parsed
from ...programs.vectors.catalogue import CATALOGUE
from ...programs.vectors.known_bugs import BUGS, OLDEST, Bug
from ...programs.vectors.vector import FILE, Vector
from . import command

#: The program run there: it prints the names of the vectors that differ, and of those that were skipped.
PLAY: Final = """
import json, sys
sys.path[:0] = sys.argv[2:]
{before}
import play
vectors = json.load(open(sys.argv[1], encoding="utf-8"))["vectors"]
seen = play.play(vectors, {how})
differ = [v["name"] for v in vectors if seen[v["name"]] not in (None, v["expected"])]
print(json.dumps([differ, [name for name in seen if seen[name] is None]]))
"""
HERE: Final = PLAY.format(before="", how="sys.version_info")
THERE: Final = PLAY.format(before="import ancient; ancient.modernize()", how="(3, 6), ancient.Ancient")
ANCIENT: Final = "asyncio==3.4.3"
DOWNLOAD: Final = ("-m", "pip", "download", "--quiet", "--no-deps", "--dest")


@dataclass(frozen=True, slots=True)
class Column:
    """The result of one release: the vectors that differ, and those that use names it lacks."""

    title: str  #: the release: "3.14.10"
    differ: frozenset[str]
    skipped: frozenset[str]

    @property
    def version(self) -> Release:
        return parsed(self.title)


class MatrixError(Exception):
    """A Python could not play the vectors; the text is its error."""


def played(python: Sequence[str | Path], title: str, vectors: Path, code: str = HERE, *paths: Path) -> Column:
    """Play the file of vectors there.

    Parameters:
        python: the start of a command line that takes a program and its arguments, as `python -c`.
        title: the release.
        vectors: the file.
        code: the program.
        paths: folders that it needs, besides that of the player.

    Raises:
        MatrixError: it failed, or did not finish.
    """
    ran = run_command(*python, code, vectors, *paths, FILE.parent)
    if ran.returncode:
        raise MatrixError(f"{python[0]}: {ran.stderr.strip().rpartition(chr(10))[2]}")
    differ, skipped = json.loads(ran.stdout)
    return Column(title, frozenset(differ), frozenset(skipped))


def columns(vectors: Path) -> tuple[list[Column], list[str]]:
    """Play the vectors on every release; return their results, and the releases that could not play, and why.

    Raises:
        MatrixError: an installed Python failed.
    """
    found, missing = [], []
    for release in [*(python.release for python in installed()), *compiled()]:
        try:
            found.append(played(launcher(release), release, vectors))
        except NoWasm as error:
            missing.append(f"Python {release} in WebAssembly was not run: {error}")
    return found, missing


def ancient(vectors: Path, folder: Path) -> Column | None:
    """Return the result of PyPI's asyncio 3.4.3; None if Python 3.6 is not installed, or pip cannot bring it."""
    hosts = [python.release for python in installed() if python.version == "3.6"]
    if not hosts:
        return None
    fetched = run_command(sys.executable, *DOWNLOAD, folder, ANCIENT)
    wheels = list(folder.glob("asyncio-*.whl"))
    if fetched.returncode or not wheels:
        return None
    with ZipFile(wheels[0]) as wheel:
        wheel.extractall(folder / "asyncio-3.4.3")
    return played(launcher(hosts[0]), "{}.{}".format(*OLDEST), vectors, THERE, folder / "asyncio-3.4.3")


def about(rule: str) -> list[Vector]:
    """Return the vectors that are about a rule; if there is none, those that name it."""
    first = [vector for vector in CATALOGUE if vector.rules[0] == rule]
    return first or [vector for vector in CATALOGUE if rule in vector.rules]


def bugs(vector: Vector, version: Release) -> list[Bug]:
    """Return the known bugs of that version that this vector shows."""
    return [bug for bug in BUGS if bug.meets(version) and vector.rules[0] in bug.rules and bug.shown(vector.name)]


def cell(rule: str, column: Column) -> str:
    """Return a cell of the table: holds, the issues that break the rule, BROKEN, or - if it lacks the names."""
    shown = [vector for vector in about(rule) if vector.name not in column.skipped]
    broken = [vector for vector in shown if vector.name in column.differ]
    if not broken:
        return "holds" if shown else "-"
    found = [bugs(vector, column.version) for vector in broken]
    issues = dict.fromkeys(bug.issue.split()[0] for of in found for bug in of)
    return " ".join([*issues, *(["BROKEN"] if not all(found) else [])])


def rules() -> list[str]:
    """Return every rule that a vector names, in the order of the catalogue; grouped by family."""
    named = dict.fromkeys(rule for vector in CATALOGUE for rule in vector.rules)
    families = list(dict.fromkeys(rule.partition("-")[0] for rule in named))
    return sorted(named, key=lambda rule: (families.index(rule.partition("-")[0]), int(rule.partition("-")[2])))


def table(columns: Sequence[Column]) -> Iterator[str]:
    """Yield the lines of the table, rule x version."""
    rows = [["rule", *(column.title for column in columns)]]
    rows += [[rule, *(cell(rule, column) for column in columns)] for rule in rules()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip()


def found(bug: Bug, columns: Sequence[Column]) -> list[tuple[Column, Vector]]:
    """Return where a bug was found: the versions, and the first vector that found it."""
    return [
        (column, next(v for v in CATALOGUE if v.name in column.differ and bug in bugs(v, column.version)))
        for column in columns
        if any(v.name in column.differ and bug in bugs(v, column.version) for v in CATALOGUE)
    ]


def history(columns: Sequence[Column]) -> Iterator[str]:
    """Yield a line for each known bug that was found: issue, defect, rule, versions, and vector."""
    for bug in BUGS:
        if where := found(bug, columns):
            vector = where[0][1]
            versions = ", ".join(column.title for column, _ in where)
            yield f"{bug.issue}: {bug.name}: {bug.wrong}"
            yield f"    {vector.rules[0]} on {versions}: {vector.name}"


def main() -> int:
    """Print the table, then the bugs; return the exit status."""
    with tempfile.TemporaryDirectory() as name:
        vectors = Path(name, "vectors.json")
        command.main(["--json", str(vectors)])
        there, not_run = columns(vectors)
        print("\n".join(table(there)))
        print("\nholds: every vector about the rule shows what the reference shows; -: its names are not there")
        if missing := lacking():
            print(f"no answer from Python {', '.join(missing)}")
        print("".join(f"{line}\n" for line in not_run), end="")
        old = ancient(vectors, Path(name))
        if old is None:
            print(f"{ANCIENT} is not there: it needs Python 3.6, and pip to bring it")
    lines = list(history([*([old] if old else []), *there]))
    print(f"\n{len(lines) // 2} known bugs found" + (" (3.4: PyPI's asyncio 3.4.3)" if old else ""))
    print("\n".join(lines))
    unknown = unexplained(there)
    print(f"\n{len(unknown)} differences that no known bug explains")
    print("\n".join(unknown))
    return 1 if unknown else 0


def unexplained(columns: Sequence[Column]) -> list[str]:
    """Yield a line for each vector that differs and that no known bug explains."""
    return [
        f"    {vector.rules[0]} on {column.title}: {vector.name}"
        for column in columns
        for vector in CATALOGUE
        if vector.name in column.differ and not bugs(vector, column.version)
    ]


if __name__ == "__main__":
    sys.exit(main())
