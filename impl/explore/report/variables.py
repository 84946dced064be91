"""Which variables are a function's own: a report leaves those out, because no other task sees them.

The rewritten program records every name that some function of its file shares.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import CodeType


class Variables:
    """The scopes of the files of a program, which are compiled when they are first asked for."""

    def __init__(self) -> None:
        self._files: dict[str, list[CodeType]] = {}

    def is_own(self, path: str, line: int, name: str) -> bool:
        """Whether `name` is a variable of the function around that line, which no inner function uses."""
        codes = self._files.get(path)
        if codes is None:
            codes = self._files[path] = list(_functions_of(path))
        around = [code for code in codes if any(line == at for _, _, at in code.co_lines())]
        return any(name in code.co_varnames and name not in code.co_cellvars for code in around[-1:])


def _functions_of(path: str) -> Iterator[CodeType]:
    """The code of a file and of its functions, inner ones after those around them."""
    try:
        code = compile(Path(path).read_text(encoding="utf-8"), path, "exec")
    except (OSError, UnicodeDecodeError, SyntaxError):
        return
    left = [code]
    for each in left:
        yield each
        left += [const for const in each.co_consts if isinstance(const, CodeType)]
