"""Trials of test functions: each is run on the subject, and on asyncio, before a report shows it.

`shortest` starts one process, which runs this file, and forks for each run; on Windows it starts another for each run.
There a loop refuses to wait, and to go on without end; a run that does not return for another reason is ended.  A
function shows a finding if it fails on the subject and passes on asyncio, which takes the place of the subject in its
imports.
"""

import _thread
import ast
import json
import os
import re
import selectors
import signal
import subprocess
import sys
import time
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NoReturn

#: The lines that a test function should have at most.
LINES: Final = 15
#: Iterations of a loop, and seconds of processor time, that a run may take.
TURNS_MAX: Final = 20_000
SECONDS: Final = 2
#: Seconds until a run that is blocked, outside of a loop, is ended.
BLOCKED: Final = 10
#: The outcome of a run that uses up its seconds of either kind; how many a finding may have, as each takes long.
HANGS: Final = "hangs"
HANGS_MAX: Final = 3
#: The exit status of a run that hangs, on Windows.
HUNG: Final = 197
#: The functions that hang, of the finding that is tried.
hung: Final[list[str]] = []
#: Errors of the function, or of its limits: none of them shows a difference.
OTHERS: Final = (
    "ImportError",
    "ModuleNotFoundError",
    "NameError",
    "SyntaxError",
    "UnboundLocalError",
    "Refused",
    "ended",
)


class Refused(BaseException):
    """A run would wait, or go on without end."""


def shortest(
    candidates: Sequence[Sequence[str]],
    path: Sequence[str],
    python: str = sys.executable,
    stays: Sequence[Sequence[str]] = (),
    hangs: Sequence[bool | None] = (),
) -> list[str | None]:
    """Return a function of each finding that shows it: the first of at most LINES lines, or the shortest, if any does.

    Parameters:
        candidates: the functions of each finding, the plainest first.
        path: folders, from which the subject can be imported.
        python: the Python of the runs.
        stays: for each finding, the calls without which a function would show something else.
        hangs: for each finding, whether its program does not return, so that only a function that hangs shows it.
    """
    if not any(candidates):
        return [None] * len(candidates)
    request = json.dumps(
        {
            "candidates": [list(map(str, each)) for each in candidates],
            "path": list(path),
            "stays": [list(each) for each in stays or [()] * len(candidates)],
            "hangs": list(hangs or [None] * len(candidates)),
        }
    )
    ran = subprocess.run([python, "-P", __file__], input=request, capture_output=True, text=True, check=False)
    if ran.returncode:  # a subject may end any process
        return [None] * len(candidates)
    found: list[str | None] = json.loads(ran.stdout)
    return found


def length(code: str) -> int:
    """Return the number of lines of the test function of a module."""
    return len(code[code.index("def test_") :].strip().splitlines())


def main() -> None:
    """Answer the request of `shortest`."""
    request = json.load(sys.stdin)
    sys.path[:0] = request["path"]
    if "code" in request:
        answer(request["code"], os.dup(1))
    import asyncio  # noqa: F401  here, and so once: each fork would import them anew
    import unittest.mock  # noqa: F401

    sys.modules["pytest"] = types.ModuleType("pytest")  # it need not be installed, and is slow to import
    vars(sys.modules["pytest"])["raises"] = raises
    json.dump([*map(first, request["candidates"], request["stays"], request["hangs"])], sys.stdout)


@contextmanager
def raises(kind: type[BaseException], match: str = "") -> Iterator[types.SimpleNamespace]:
    """Take the place of pytest.raises()."""
    caught = types.SimpleNamespace()
    try:
        yield caught
    except kind as error:
        caught.value = error
    assert vars(caught), f"did not raise {kind}"
    assert re.search(match, str(caught.value))


def first(codes: Sequence[str], stays: Sequence[str], hangs: bool | None) -> str | None:
    """Return the first short function that shows its finding, or the shortest of others; None of `hangs` is either."""
    found = []
    hung.clear()
    for code in dict.fromkeys(codes):
        if (error := shows(code)) and hangs in (None, error == HANGS):
            found.append(code)
            if length(code) <= LINES:
                return code
    return shrunk(min(found, key=length), stays) if found else None


def shrunk(code: str, stays: Sequence[str]) -> str:
    """Return a function with fewer statements that fails in the same way, if it is too long."""
    error = shows(code)
    smaller: str | None = code
    while error and smaller and length(code := smaller) > LINES:
        smaller = next((each for each in less(code, stays) if shows(each) == error), None)
    return code


def less(code: str, stays: Sequence[str]) -> Iterator[str]:
    """Yield a module without one of the statements of its function, the longest first.

    Those that give up turns stay, as a thing that happens in time need not happen at once; and those with these texts.
    """
    lines = code.splitlines(keepends=True)
    test = next(node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef))
    found = [node for node in ast.walk(test) if isinstance(node, ast.stmt) and node is not test]
    for node in sorted(found, key=lambda node: (node.lineno - (node.end_lineno or 0), -node.lineno)):
        text = "".join(lines[node.lineno - 1 : node.end_lineno])
        left = "".join([*lines[: node.lineno - 1], *lines[node.end_lineno :]])
        if made(node, ast.Store) & made(test, ast.Load, node) - made(test, ast.Store, node):
            continue  # it would be an error of the function's own
        if not any(each in text for each in ("sleep(", "run(", *stays)):
            yield tidy(left)


def made(node: ast.AST, how: type[ast.expr_context], without: ast.AST | None = None) -> set[str]:
    """Return the names that a part of a function stores, or loads, `without` a part of that."""
    if node is without:
        return set()
    found = {node.id} if isinstance(node, ast.Name) and isinstance(node.ctx, how) else set()
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and how is ast.Store:
        found.add(node.name)
    return found.union(*(made(child, how, without) for child in ast.iter_child_nodes(node)))


def tidy(code: str) -> str:
    """Return a module without blank lines at the beginning of blocks, or more than one within its function."""
    head, test, body = code.partition("def test_")
    body = re.sub(r"\n\n\n+", "\n\n", re.sub(r":\n\n+", ":\n", body))
    return head + test + body.rstrip() + "\n"


def shows(code: str) -> str:
    """Return the error with which a function fails on the subject, if it passes on asyncio.

    There is none after too many that hang, and none if the function makes the subject meet itself.
    """
    right = re.sub(r"^from (?!unittest)\S+ import (?:\w+ as )?(\w+)$", r"from asyncio import \1", code, flags=re.M)
    if len(hung) >= HANGS_MAX or outcome(right):
        return ""
    error = outcome(code)
    return "" if error in OTHERS or (error == "RecursionError" and "@patch(" in code) else error


def outcome(code: str) -> str:
    """Run a function in a process of its own; return the class of the error that it raises, HANGS, "ended", or ""."""
    error = apart(code) if sys.platform == "win32" else forked(code)
    if error == HANGS:
        hung.append(code)
    return "" if error == "passed" else error or "ended"


def forked(code: str) -> str:
    """Run a function in a fork; return "passed", the class of the error, HANGS, or ""."""
    if sys.platform == "win32":
        raise NotImplementedError  # `outcome` calls `apart` there; this tells the check of types
    read, write = os.pipe()
    child = os.fork()
    if not child:
        answer(code, write)
    os.close(write)
    with open(read, encoding="utf-8") as said:
        error = said.read()
    _, status = os.waitpid(child, 0)
    hangs = not error and os.waitstatus_to_exitcode(status) in (-signal.SIGXCPU, -signal.SIGALRM)
    return HANGS if hangs else error


def apart(code: str) -> str:
    """Run a function in a new Python, where there are no forks; return the same as `forked`."""
    request = json.dumps({"code": code, "path": sys.path})
    command = [sys.executable, "-P", __file__]
    try:
        ran = subprocess.run(
            command, input=request, capture_output=True, encoding="utf-8", check=False, timeout=BLOCKED
        )
    except subprocess.TimeoutExpired:
        return HANGS
    return HANGS if ran.returncode == HUNG else ran.stdout


def answer(code: str, write: int) -> NoReturn:
    """Run a function, write the result of `forked` to a descriptor, and end the process."""
    limit("thread" in code)
    try:
        run(code)
        error = "passed"
    except BaseException as raised:  # a subject may raise anything
        error = type(raised).__name__
    os.write(write, error.encode())
    os._exit(0)


def run(code: str) -> None:
    """Define and call the test function."""
    made: dict[str, Any] = {"__name__": "shown"}
    exec(code, made)
    next(thing for name, thing in made.items() if name.startswith("test_"))()


def limit(threads: bool) -> None:
    """Set the limits of a run; one with threads may wait for them."""
    for stream in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    if sys.platform == "win32":
        import asyncio

        asyncio.events.new_event_loop = asyncio.SelectorEventLoop  # for Impatient
        _thread.start_new_thread(end_late, (time.process_time, time.sleep))
    else:
        import resource  # here, as it is not there on Windows

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))  # the second kills otherwise
        signal.alarm(BLOCKED)
    if not threads:
        selectors.DefaultSelector = Impatient  # type: ignore[misc]
        time.sleep = refuse  # type: ignore[assignment]
        # On a busy machine a short timer is due before the loop waits for it: here it never is.
        time.monotonic = partial(float, time.monotonic())


def end_late(process_time: Callable[[], float], sleep: Callable[[float], None]) -> NoReturn:
    """End the process after its seconds of processor time, in a thread."""
    while process_time() < SECONDS:
        sleep(0.05)
    os._exit(HUNG)


def refuse(seconds: float) -> NoReturn:
    """Take the place of time.sleep()."""
    raise Refused


class Impatient(selectors.DefaultSelector):
    """A selector that waits for nothing, and has a limited number of turns."""

    turns = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return the ready files.  Raises Refused if nothing is and nothing may come, or the turns are used up."""
        self.turns += 1
        found = super().select(0)
        waits = not found and (timeout is None or timeout > 0)
        if waits or self.turns > TURNS_MAX:
            raise Refused
        return found


if __name__ == "__main__":
    main()
