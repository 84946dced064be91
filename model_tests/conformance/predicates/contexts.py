"""The predicate of contexts: a variable that a task sets in its context keeps its value, until it is set again."""

from collections.abc import Iterator
from typing import Final

from ...programs.shrink import statements
from ..normal import strings
from .trace import Trace, called

#: The names of Python's that make variables and contexts.
CONTEXTS: Final = frozenset({"ContextVar", "copy_context"})


def contexts(trace: Trace, task: str) -> Iterator[tuple[str, str]]:
    """Yield each broken rule of the context of a task, with a sentence.

    "The Task copies the current context and later runs its coroutine in the copied context", or in the one given
    (asyncio.Task; documented).
    """
    if not is_certain(trace):
        return
    own = context(trace, task)
    within = {trace.body(name) for name in trace.things if context(trace, name) == own}
    values: dict[str, str] = {}
    for _, actor, what, outcome in trace.lines:
        thing, method = called(what) or ("", "")
        text = what.rpartition("(")[2].rstrip(")")
        variable = text if thing == own else thing if actor in within else ""
        if trace.things.get(variable) != "ContextVar":
            continue
        if method == "set":
            values[variable] = text
        elif method == "get" and outcome != values.get(variable, outcome):
            yield "TASK-11", f"{variable} was set to {values[variable]} in a context, and is {outcome} in it"


def context(trace: Trace, task: str) -> str:
    """Return the name of the context that a task is given, or its own name if it has a copy."""
    given = [arg["context"] for arg in trace.makes(task) if isinstance(arg, dict) and "context" in arg]
    return str(given[0]) if given else task


def is_certain(trace: Trace) -> bool:
    """Whether each change of a context has a line, and sets a number."""
    changes = [word for word in strings(trace.program) if word.endswith((".set", ".reset", ".run"))]
    noted = [
        block[place]
        for block, place in statements(trace.program)
        if block[place][0] == "do" and str(block[place][1][0]).endswith(".set")
    ]
    numbers = [each for each in noted if isinstance(each[1][-1], int)]
    return not trace.program.get("callbacks") and len(changes) == len(numbers)
