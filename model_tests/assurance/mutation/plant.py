"""A module with an edit: the import system finds the edited text in the place of the file, which stays as it is.

No file is written, so that several processes can judge mutants of one checkout.  Tracebacks and `inspect.getsource`
show the edited text.  A process that the module's users start on their own has the original.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

from ...dev.pythons import ROOT
from .edit import Edit


class _Loader(SourceFileLoader):
    """Loads a module from a text that is not that of its file, and keeps no bytecode of it."""

    def __init__(self, name: str, path: str, text: bytes) -> None:
        super().__init__(name, path)
        self.text = text

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = compile(self.text, self.path, "exec", dont_inherit=True)
        return code

    def get_source(self, fullname: str) -> str:
        return self.text.decode()


class _Finder:
    """Finds the one module that has an edit."""

    def __init__(self, name: str, text: bytes) -> None:
        self.name, self.text = name, text

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self.name:
            return None
        found = PathFinder.find_spec(name, path, target)
        assert found is not None
        assert found.origin is not None
        found.loader = _Loader(name, found.origin, self.text)
        return found


def plant(edit: Edit) -> None:
    """Give this process the edit, for the rest of its life.

    Raises:
        RuntimeError: the module was imported before.
    """
    if edit.module in sys.modules:
        raise RuntimeError(f"{edit.module} was imported before its edit")
    path = ROOT / edit.file
    text = edit.applied(path.read_bytes())
    sys.meta_path.insert(0, _Finder(edit.module, text))
    lines = text.decode().splitlines(keepends=True)
    linecache.cache[str(path)] = (len(text), None, lines, str(path))
