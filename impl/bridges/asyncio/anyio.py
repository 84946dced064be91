"""Patches that make anyio deterministic: the hash of its cancel scopes, and its worker threads.

anyio keeps cancel scopes in sets and iterates over them when one is cancelled.  Their hashes are addresses, so the
order differs from run to run.  With the patch, a scope that is first hashed while a simulated loop runs has a number of
that loop as its hash; other scopes keep theirs.  The class is private to anyio: `anyio._backends._asyncio`, tested with
anyio 4.16.  Without such a class the patch does nothing.

`anyio.to_thread.run_sync` runs its function inline, as `asyncio.to_thread` does: web frameworks run functions that are
not coroutines in this way.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from types import ModuleType
from typing import Any, Final, TypeAlias
from weakref import ref

from ..simulated_loop import simulated_loop

#: The module, and the versions of anyio that the patch was tested with.
MODULE: Final = "anyio._backends._asyncio"
TESTED: Final = ("4.16",)

#: anyio.CancelScope, and a function with its arguments and result: anyio is an optional dependency, without types here.
Scope: TypeAlias = Any
#: A class method of anyio's backend.
Backend: TypeAlias = Any

#: id of a scope -> (the scope, its number); a scope has no attribute for it.
_numbers: dict[int, tuple[ref[Scope], int]] = {}


def _hash(scope: Scope) -> int:
    known = _numbers.get(id(scope))
    if known is not None and known[0]() is scope:
        return known[1]
    loop = simulated_loop()
    number = object.__hash__(scope) if loop is None else loop.serial()
    key = id(scope)
    _numbers[key] = (ref(scope, lambda gone: _forget(key, gone)), number)
    return number


def _forget(key: int, gone: ref[Scope]) -> None:
    known = _numbers.get(key)
    if known is not None and known[0] is gone:
        del _numbers[key]


def _inline(module: ModuleType, real: Backend) -> Backend:
    """`run_sync_in_worker_thread` of anyio's backend, which runs the function inline on a simulated loop."""

    async def run_sync_in_worker_thread(
        cls: Scope,
        func: Callable[..., Scope],
        args: tuple[Scope, ...],
        abandon_on_cancel: bool = False,
        limiter: Scope = None,
    ) -> Scope:
        loop = simulated_loop()
        if loop is None:
            return await real.__func__(cls, func, args, abandon_on_cancel, limiter)
        await cls.checkpoint()
        async with limiter or cls.current_default_thread_limiter():
            context = copy_context()
            context.run(module.set_current_async_library, None)
            with module.CancelScope(shield=not abandon_on_cancel):
                return await loop.run_in_executor(None, context.run, func, *args)

    return classmethod(run_sync_in_worker_thread)


def patch(module: ModuleType) -> None:
    """Apply the patches to anyio's module."""
    scope = getattr(module, "CancelScope", None)
    if scope is not None:
        scope.__hash__ = _hash
    backend = getattr(module, "AsyncIOBackend", None)
    if backend is not None:
        name = "run_sync_in_worker_thread"
        setattr(backend, name, _inline(module, vars(backend)[name]))
