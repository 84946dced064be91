"""The arguments that the program gives to functions of the loop: which of them the loop looks at, and when.

1.  An argument is *inert* if all that the loop can do with it records its accesses, or touches no state: numbers,
    functions and coroutines of the program, objects of its classes, futures.
2.  Any other one (a list, a bound method of a builtin, an object of a library) must have an entry in `_USES`, which
    says how the function uses this parameter.  Without an entry the loop may keep the value and look at it at any time:
    this step and every later one of the run are not understood.
3.  The parameters of a coroutine or a generator of the loop are used when it begins, which may be a later step.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import CORO_CREATED, GEN_CREATED, getcoroutinestate, getgeneratorstate, unwrap
from types import CodeType, CoroutineType, FrameType, FunctionType, GeneratorType, MethodType
from typing import Final

from ...sim.frames import variables_of
from .containers import iterate, use
from .footprint import log
from .kinds import (
    PLAIN,
    Value,
    is_constant,
    is_foreign,
    is_loops_function,
    is_of_the_loop,
    is_own,
    is_rewritten,
    is_transparent,
    own_classes,
    runs_rewritten,
)  # fmt: skip


def _kept(value: Value) -> None:
    """The loop passes it on, or calls it in a step that is judged by its calls."""


def _error(value: Value) -> None:
    """A class is called now."""
    if issubclass(type(value), type) and not runs_rewritten(value):
        log.not_understood()


#: How functions of the loops use a parameter: (function, parameter), of asyncio and of impl.
_USES: Final[dict[tuple[str, str], Callable[[Value], None]]] = {
    **dict.fromkeys(
        (
            ("set_result", "result"), ("put", "item"), ("put_nowait", "item"), ("sleep", "result"), ("cancel", "msg"),
            ("call_soon", "callback"), ("call_soon", "args"), ("call_soon_threadsafe", "callback"),
            ("call_soon_threadsafe", "args"), ("call_later", "callback"), ("call_later", "args"),
            ("call_at", "callback"), ("call_at", "args"), ("call_soon", "fn"), ("call_later", "fn"), ("call_at", "fn"),
            ("add_done_callback", "fn"), ("run_in_executor", "func"), ("run_in_executor", "args"),
            ("run_in_executor", "executor"), ("set_exception_handler", "handler"), ("set_task_factory", "factory"),
            ("wait_for", "predicate"), ("_call_for", "func"), ("_call_for", "args"),
            ("_set_result_unless_cancelled", "result"),
        ),
        _kept,
    ),
    **dict.fromkeys((("create_task", "name"), ("set_name", "value")), use),
    **dict.fromkeys((("gather", "coros_or_futures"), ("gather", "awaitables")), use),  # they are hashed
    **dict.fromkeys((("wait", "fs"), ("as_completed", "fs"), ("_lazily", "fs")), iterate),
    **dict.fromkeys(
        (("create_task", "coro"), ("ensure_future", "coro_or_future"), ("shield", "arg"), ("wait_for", "fut")),
        lambda value: begins(value),
    ),
    ("set_exception", "exception"): _error,
}  # fmt: skip


def is_inert(value: Value) -> bool:
    """Whether nothing that the loop does with a value touches state of the program unseen."""
    kind = type(value)
    if kind in PLAIN:
        return True
    if kind is tuple or kind is frozenset:
        return all(map(is_inert, value))
    if kind is FunctionType or kind is MethodType:
        return runs_rewritten(value)
    if kind is CoroutineType or kind is GeneratorType:
        return False  # it may begin now
    if issubclass(type(value), type):
        return value.__module__ == "builtins" and issubclass(value, BaseException)
    return is_transparent(kind) if is_own(value) else is_constant(value)


def calls(fn: Value, args: tuple[Value, ...]) -> None:
    """The loop is about to call a function that the program may have given to it."""
    if type(fn) is partial:
        calls(fn.func, (*fn.args, *args, *fn.keywords.values()))
    elif runs_rewritten(fn):
        passes(fn, args, {})
    else:
        log.not_understood(f"the callback {getattr(fn, '__qualname__', type(fn).__name__)}")


def passes(fn: Value, args: tuple[Value, ...], keywords: dict[str, Value]) -> None:
    """A function of the loop, or of the program, is about to be called by the program or as a callback."""
    function = fn.__func__ if type(fn) is MethodType else fn
    if is_rewritten(function) or id(fn) in own_classes:
        return
    if all(map(is_inert, args)) and (not keywords or all(map(is_inert, keywords.values()))):
        return
    if not is_loops_function(function):  # a class, or a function in C; errors keep their arguments
        if not (issubclass(type(fn), type) and issubclass(fn, BaseException)):
            _unwatched()
        return
    code = unwrap(function).__code__
    names = code.co_varnames[function is not fn : code.co_argcount]
    for name, value in zip(names, args, strict=False):
        _given(code, name, value)
    for value in args[len(names) :]:
        _given(code, code.co_varnames[code.co_argcount + code.co_kwonlyargcount], value)
    for name, value in keywords.items():
        _given(code, name, value)


def _given(code: CodeType, name: str, value: Value) -> None:
    """A parameter of a function of the loop has this value."""
    if not is_inert(value):
        _USES.get((code.co_name, name), _unwatched)(value)


def _unwatched(value: Value = None) -> None:
    """The loop may have kept a value that it looks at later."""
    log.unwatched = True
    log.not_understood()


def begins(value: Value) -> None:
    """A value may be awaited or iterated over now; a coroutine of the loop uses its parameters as it begins."""
    if is_inert(value):
        return
    kind = type(value)
    if is_foreign(value):
        log.not_understood()
    elif kind is CoroutineType and getcoroutinestate(value) == CORO_CREATED:
        _begins(value.cr_frame)
    elif kind is GeneratorType and getgeneratorstate(value) == GEN_CREATED:
        _begins(value.gi_frame)


def _begins(frame: FrameType) -> None:
    if not is_of_the_loop(frame.f_globals.get("__name__")):
        return
    code, values = frame.f_code, variables_of(frame)
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        if name in values:
            _given(code, name, values[name])
