"""A module of programs with other names in place of asyncio's: the same source runs on impl, or on a mutant of it."""

from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any


def substituted(module: ModuleType, names: Any) -> ModuleType:  # Any: a module or class with asyncio's names
    """A second instance of `module`, with `names` as its global `asyncio`; the first one stays as it is.

    It suits modules that `import asyncio` and use it inside functions only, since their top level runs on asyncio.

    Raises:
        ValueError: the module has no file, or no global `asyncio`.
    """
    spec = spec_from_file_location(module.__name__, module.__file__ or "")
    if spec is None or spec.loader is None or not hasattr(module, "asyncio"):
        raise ValueError(f"{module.__name__} is no file that imports asyncio")
    second = module_from_spec(spec)
    spec.loader.exec_module(second)
    second.__dict__["asyncio"] = names
    return second
