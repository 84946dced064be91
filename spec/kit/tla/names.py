"""Names of Python in TLA+: operators begin with a capital letter, parameters and local names with a small one.

A local name or a field that TLA+ would not take, or that a module keeps for itself, begins with `v_`.
"""

from __future__ import annotations

import ast
import re


def local(name: str) -> str:
    """The name of a parameter, of a field, or of another name that a function gives a value."""
    plain = re.fullmatch("[a-z][A-Za-z0-9_]*", name) and name not in ("state", "model")
    return name if plain and not name.startswith("v_") else "v_" + re.sub("[^A-Za-z0-9_]", sign, name)


def sign(found: re.Match[str]) -> str:
    return f"u{ord(found[0]):x}"


def operator(name: str) -> str:
    """`get_nowait` is GetNowait; words in capitals, which TLA+ has for itself, begin with F."""
    words = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    return re.sub("[^A-Za-z0-9]", sign, words if re.match("[A-Z]([^A-Z]|$)", words) else f"F{words}")


def names(target: ast.expr) -> str:
    """The names of a target: x, or <<x, y>>."""
    if isinstance(target, ast.Tuple):
        return f"<<{', '.join(map(names, target.elts))}>>"
    assert isinstance(target, ast.Name)
    return local(target.id)
