"""Programs that give asyncio a value of their own: it calls, compares, hashes, formats or iterates it, or lets it die.

A row of loop_calls.txt is the name of a program, the value that it makes before its two tasks, and their bodies.  The
first gives the value to a function of asyncio, or drops it; the second changes the object behind the value, or looks at
it.  `?` looks at the list `found`, `+` and `-` change it.
"""

from pathlib import Path
from typing import Final

from ...programs.tables import texts

#: The beginning of each program, its end, and the rows of each kind.
_HEAD, _TAIL, *_ROWS = texts(Path(__file__).with_suffix(".txt")).values()
_SHORT: Final = {"?": "note(len(found))", "+": "found.append(9)", "-": "found.clear()"}


def _programs() -> dict[str, str]:
    """The texts of the programs, by name."""
    found = {}
    for row in "".join(_ROWS).replace("\n    ", " ").splitlines():
        name, colon, rest = row.partition(":")
        if colon:
            made, *bodies = ([part.strip() for part in each.split("; ")] for each in rest.split(" | "))
            lines = [f"    {line}\n" for line in made if line]
            for task, body in zip(("one", "two"), bodies, strict=True):
                lines.append(f"    async def {task}():\n")
                lines += [f"        {_SHORT.get(line, line)}\n" for line in body]
            found[name] = _HEAD + "".join(lines) + _TAIL
    return found


#: The texts of the programs, by name.
PROGRAMS: Final = _programs()
