"""The verdicts of the commands `check` and `prove` on a file, as the corpus writes them."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from spec.commands import check, prove

#: The lines that name a property which does not hold: of a search, of a proof, and of a proof without an answer.
BROKEN = re.compile(
    r"^[^\n]*: (?:the rank of )?(\w+)[^\n]* (?:is broken|is reached|is wrong|need not come:) after",
    re.MULTILINE,
)
REFUTED = re.compile(r"^  REFUTED: (\w+)", re.MULTILINE)
UNKNOWN = re.compile(r"^  UNKNOWN: (\w+)", re.MULTILINE)


def checked(path: Path) -> str:
    """The verdict of `check`."""
    status, out = run(check.main, path)
    return out if status == 2 else "ok" if status == 0 else named("broken", BROKEN, out) or f"wrong: {out}"


def proved(path: Path) -> str:
    """The verdict of `prove`."""
    status, out = run(prove.main, path)
    if status != 1:
        return out if status == 2 else "proved"
    return named("refuted", REFUTED, out) or named("not proved", UNKNOWN, out) or f"wrong: {out}"


def named(verdict: str, line: re.Pattern[str], out: str) -> str:
    """The verdict with the properties that those lines of the output name; "" if there is none."""
    return " ".join([verdict, *found]) if (found := sorted(set(line.findall(out)))) else ""


def run(main: Callable[[list[str]], int], path: Path) -> tuple[int, str]:
    """The exit status and the output of a command on a file; of a refusal its line, with file and line.

    Raises:
        AssertionError: the refusal is not of that form.
    """
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error), own_modules():
        status = main([str(path)])
    if status != 2:
        return status, out.getvalue()
    line, *others = error.getvalue().splitlines()
    assert all(each.startswith("  ") for each in others), error.getvalue()  # where: the event, the state
    assert re.search(rf"{re.escape(path.name)}:\d+: ", line), line
    return status, f"refused {line}"


@contextlib.contextmanager
def own_modules() -> Iterator[None]:
    """Forget afterwards the modules and folders that a file of the user's adds."""
    modules, folders = set(sys.modules), list(sys.path)
    try:
        yield
    finally:
        sys.path[:] = folders
        for name in [name for name in sys.modules if name.startswith("item_") and name not in modules]:
            del sys.modules[name]


def agrees(verdict: str, right: str) -> bool:
    """Whether a verdict is the right one; a refusal names a part of it only."""
    if right.startswith("refused"):
        return verdict.startswith("refused") and right.removeprefix("refused").strip() in verdict
    return verdict == right
