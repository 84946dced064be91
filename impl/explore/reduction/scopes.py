"""The variables of a file that several functions share: those are state, the other local ones are a task's own.

Source: CPython documentation, module symtable; PEP 709 (comprehensions run within their function).
"""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Final

from ...sim.garbage import parsed

#: Scopes that run at once, as a part of the function around them.
_AT_ONCE: Final = frozenset({"listcomp", "setcomp", "dictcomp"})
#: Builtin functions that take all items of a generator before they return.
_TAKE_ALL: Final = frozenset({"all", "any", "dict", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"})


def shared_variables(text: str, path: str) -> frozenset[str]:
    """The names that a function of this file shares with another one, or declares global."""
    at_once = _lines_of_generators_that_run_at_once(parsed(text))
    found: set[str] = set()

    def walk(table: symtable.SymbolTable) -> None:
        brief = table.get_type() == "class" or table.get_name() in _AT_ONCE
        brief |= table.get_name() == "genexpr" and table.get_lineno() in at_once
        for symbol in table.get_symbols():
            if symbol.is_declared_global() or (symbol.is_free() and not brief):
                found.add(symbol.get_name())
        for child in table.get_children():
            walk(child)

    walk(symtable.symtable(text, path, "exec"))
    return frozenset(found - {"__class__"})


def _lines_of_generators_that_run_at_once(tree: ast.AST) -> set[int]:
    """The lines on which every generator expression is an argument that a call takes whole."""
    every: list[ast.GeneratorExp] = []
    whole: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.GeneratorExp):
            every.append(node)
        elif isinstance(node, ast.Starred):
            whole.add(id(node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _TAKE_ALL:
            whole.update(id(arg) for arg in node.args)
    lazy = {node.lineno for node in every if id(node) not in whole}
    return {node.lineno for node in every} - lazy


def stored_names(*targets: ast.AST | None) -> list[str]:
    """The variables that assignment to these targets sets or removes."""
    return [
        node.id
        for target in targets
        if target is not None
        for node in ast.walk(target)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    ]


def waits(*nodes: ast.AST | None) -> bool:
    """Whether any of these has an `await` or a `yield`: code before and after it may be in different steps."""
    kinds = (ast.Await, ast.Yield, ast.YieldFrom, ast.AsyncFor, ast.AsyncWith)
    for top in nodes:
        for node in ast.walk(top) if top is not None else ():
            if isinstance(node, kinds) or (isinstance(node, ast.comprehension) and node.is_async):
                return True
    return False


class Variables:
    """The scopes of the files of a program, which are compiled when they are first asked for.

    A report leaves out the variables that are a function's own, because no other task sees them.  The rewritten program
    records every name that some function of its file shares.
    """

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
