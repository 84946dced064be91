"""The user's packages: where a file belongs to one, room for those that have the names of ours, and our own names.

In the wheel our packages are below `loopspec`, and hide nothing.  In a checkout they are top-level packages: a program
with a package `impl` of its own would get ours.  So before such a program is imported, ours get the names that they
have in the wheel.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Final

from ..errors import PACKAGE

#: Our package below which the wheel has the others.
_ROOT: Final = "loopspec"
#: The packages of a checkout.
_OURS: Final = ("impl", "spec", "model_tests")


def spelled(code: str) -> str:
    """A program that imports our packages, as it is where this runs: in the wheel they are below `loopspec`."""
    if PACKAGE in _OURS:
        return code
    code = re.sub(rf"(?m)^from ({'|'.join(_OURS)})\b", rf"from {_ROOT}.\1", code)
    return re.sub(rf"(?m)^import ({'|'.join(_OURS)})$", rf"from {_ROOT} import \1", code)


def located(path: Path) -> tuple[Path, str]:
    """The folder from which a file can be imported, and the dotted name of its module."""
    parts, folder = [path.stem], path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(parts)


def make_room(directory: Path) -> None:
    """Rename our packages if the directory has a package or a module with the name of one."""
    if PACKAGE not in _OURS:  # this is the wheel
        return
    if any(_has(directory, name) for name in _OURS):
        _rename(_OURS)


def _has(directory: Path, name: str) -> bool:
    """Whether the directory has a module of that name, not ours."""
    found = PathFinder.find_spec(name, [str(directory)])
    if found is None or found.origin is None:  # None: a folder that is no package
        return False
    return not Path(found.origin).samefile(Path(__file__).parents[2] / name / "__init__.py")


def _rename(packages: Collection[str]) -> None:
    """Move the modules that are loaded; others of ours are found below the root when a relative import needs them."""
    root = sys.modules[_ROOT] = ModuleType(_ROOT)
    root.__path__ = [str(Path(__file__).parents[2])]
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in packages:
            continue
        del sys.modules[name]
        sys.modules[f"{_ROOT}.{name}"] = module
        module.__package__ = f"{_ROOT}.{module.__package__}"
        if module.__spec__ is not None:
            module.__spec__.name = f"{_ROOT}.{module.__spec__.name}"
        if "." not in name:
            setattr(root, name, module)
