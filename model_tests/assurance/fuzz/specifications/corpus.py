"""The corpus: specifications on which a verdict of the kit was once wrong, each with the right verdicts.

An item of `corpus.txt` is a name, its verdicts and its text, which follows HEAD:

    ### name
    check: ok | broken PROPERTY... | refused PART_OF_THE_LINE
    prove: proved | refuted PROPERTY... | not proved PROPERTY... | refused PART_OF_THE_LINE
    state: n: int = 0, on: Map[int, bool] = False
    @x.action()
    def ...

`state:`, which may be left out, has the fields with their values in the one initial state, for every key of a Map; a
Task may begin as any.  Then the loader writes the state, the specification `x`, the rule `start`, and at the end the
bounded model.  An item that writes Task has keys of that NewType, any other one ints.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CORPUS: Final = Path(__file__).with_name("corpus.txt")
HEAD: Final = """\
from __future__ import annotations
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum, StrEnum
from typing import NewType
from spec.kit import Fails, Holds, Map, Model, Spec, mutant, only
Task = NewType("Task", int)
@dataclass(frozen=True)
class Const:
    tasks: frozenset[KEY]
    most: int
"""
BEGIN: Final = '''\
@dataclass(frozen=True)
class State:
    {fields}
x = Spec[Const, State]("x", State, universe={{KEY: "tasks"}})
@x.init
def start(k: Const, s: State) -> bool:
    """X-1: The one initial state."""
    return {conditions}
'''
END: Final = """
def model(spec=x):
    k = Const(frozenset({{0, 1}}), 2)
    return Model(spec, k, (State({values}),), {{KEY: k.tasks}})
SMALL = Holds(x, "small", lambda: [model()], live=True)
"""


@dataclass(frozen=True)
class CorpusItem:
    """A specification with its right verdicts; `todo`: the commands that still give another verdict."""

    name: str
    check: str
    prove: str
    text: str
    todo: frozenset[str] = frozenset()


def items(path: Path = CORPUS) -> Iterator[CorpusItem]:
    """The items of a corpus.

    Raises:
        ValueError: an item is not of the form; the text has file and line.
    """
    line = 1
    for part in re.split(r"^(?=### )", path.read_text("utf-8"), flags=re.MULTILINE):
        if part.startswith("### "):
            yield item(part, f"{path.name}:{line}")
        line += part.count("\n")


def item(part: str, where: str) -> CorpusItem:
    """One item.  Raises ValueError."""
    name, *lines = part.removeprefix("### ").splitlines()
    head: dict[str, str] = {}
    while lines and (match := re.match(r"((?:todo-)?(?:check|prove)|state): (.*)", lines[0])):
        head[match[1]] = match[2]
        del lines[0]
    verdicts = {of: [head[key] for key in (of, f"todo-{of}") if key in head] for of in ("check", "prove")}
    if wrong := [of for of, found in verdicts.items() if len(found) != 1]:
        raise ValueError(f"{where}: {name}: write one line, `{wrong[0]}: VERDICT`")
    text = "\n".join(lines) + "\n"
    todo = frozenset(of for of in verdicts if f"todo-{of}" in head)
    [check], [prove] = verdicts.values()
    return CorpusItem(name, check, prove, whole(text, head.get("state")), todo)


def whole(text: str, state: str | None = None) -> str:
    """The text of a module with that specification; `state`: its fields, as in the corpus."""
    key = "Task" if re.search(r"\bTask\b", f"{text} {state}") else "int"
    if state is not None:
        [function] = ast.parse(f"def state(*, {state}): ...").body
        assert isinstance(function, ast.FunctionDef)
        types = {arg.arg: ast.unparse(arg.annotation) for arg in function.args.kwonlyargs if arg.annotation}
        begin = {
            name: ast.unparse(value) for name, value in zip(types, function.args.kw_defaults, strict=True) if value
        }
        maps = {name for name, of in types.items() if of.startswith("Map[")}
        conditions = [
            f"s.{n} in k.tasks"
            if types[n] == "Task"
            else f"all(s.{n}[t] == {v} for t in k.tasks)"
            if n in maps
            else f"s.{n} == {v}"
            for n, v in begin.items()
        ]
        values = [f"Map(dict.fromkeys(k.tasks, {v}))" if n in maps else v for n, v in begin.items()]
        fields = "\n    ".join(f"{name}: {of}" for name, of in types.items())
        text = BEGIN.format(fields=fields, conditions=" and ".join(conditions)) + text
        text += END.format(values=", ".join(values))
    return re.sub(r"\bKEY\b", key, HEAD + text)
