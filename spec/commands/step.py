"""`loopspec step SPEC`: walk through a bounded model by hand: show the state and the next steps, take one, undo.

The commands come from standard input, one a line; at a terminal there is a prompt, elsewhere each command is echoed, so
that the output reads as a session.  The end of the input (Ctrl-D) ends it.

    NUMBER    take that step
    undo      take the last step back (u)
    start     go back to the initial state (s)
    where     show the whole state, and the way to it (w)
    quit      end (q)
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TextIO

from ..kit.bounded import Holds
from ..kit.core import Event, Named
from ..kit.model import Model
from ..kit.search import Trace, changes, steps, table, whole
from ..registry import REGISTRY
from .run import label
from .target import Parser, UsageError, chosen, is_users, report

# Any in this file: constants and states of any specification.

HELP = "a number takes that step; undo, start, where, quit"
#: The commands, each with its abbreviation.
COMMANDS = {word[0]: word for word in ("undo", "start", "where", "quit")}


def main(argv: Sequence[str] | None = None, *, prog: str = "loopspec step") -> int:
    """Run the command with those arguments (None: those of the process); returns the exit status."""
    parser = Parser(prog=prog, description=f"Walk through a model of a specification: {HELP}.")
    path = None
    try:
        target = parser.parse_args(argv).target
        if target is None:
            raise UsageError("name the specification, or a file of yours: loopspec step NAME | FILE.py[:NAME]")
        instances, path = chosen(target, REGISTRY)
        holding = [each for each in instances if isinstance(each, Holds)]
        if not holding:
            raise UsageError(f"{target}: it has no instance that holds, and so no model to walk through")
        walk(next(iter(holding[0].models())), label(holding[0]), sys.stdin)
    except UsageError as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return 2
    except Exception as error:
        if not is_users(error, path):
            raise
        print(f"{prog}: {report(error, path)}", file=sys.stderr)
        return 2
    return 0


def walk(model: Model[Any, Any], title: str, commands: TextIO) -> None:
    """Show the initial state, then execute each line of `commands`."""
    at = Walk(model)
    of = f", from the first of {len(model.init)} initial states" if len(model.init) > 1 else ""
    print(f"{title}{of}: {HELP}")
    at.where()
    for line in typed(commands):
        word = COMMANDS.get(line, line)
        if word == "quit":
            return
        if word:
            at.do(word)


def typed(commands: TextIO) -> Iterator[str]:
    """The commands: at a terminal with a prompt, else with an echo."""
    terminal = commands.isatty()
    while True:
        if terminal:
            print("> ", end="", flush=True)
        line = commands.readline()
        if not terminal and line:
            print(f"> {line.strip()}")
        if not line:
            if terminal:
                print()
            return
        yield line.strip()


class Walk:
    """A position in a model: the way to it; its last state is the present one."""

    def __init__(self, model: Model[Any, Any]) -> None:
        self.model = model
        self.way: Trace[Any] = [(None, model.init[0])]

    @property
    def state(self) -> Any:
        return self.way[-1][1]

    @property
    def next(self) -> list[tuple[Event, Any]]:
        """The steps that are possible now, each once, in the order of the specification."""
        return list(dict.fromkeys(self.model.successors(self.state)))

    def do(self, word: str) -> None:
        """Do one command; one that is not possible changes nothing and says why."""
        found = self.next
        if word.isdecimal() and 1 <= int(word) <= len(found):
            self.take(*found[int(word) - 1])
        elif word.isdecimal():
            print(f"there is no step {word}: take one of {span(len(found))}")
        elif word == "undo" and len(self.way) == 1:
            print("this is the start: there is nothing to undo")
        elif word in ("undo", "start"):
            del self.way[1 if word == "start" else -1 :]
            self.where()
        elif word == "where":
            self.where()
        else:
            print(f"unknown command {word!r}: {HELP}")

    def take(self, event: Event, t: Any) -> None:
        """Take a step, and say which properties of steps it breaks."""
        s = self.state
        self.way.append((event, t))
        print(f"{event}: {changes(self.model.spec.field_names, s, t)}")
        self.broken(self.model.broken(s, t, event))
        self.menu()

    def broken(self, properties: Iterable[Named]) -> None:
        for item in properties:
            print(f"BROKEN: {item.name} ({item.rule})")

    def where(self) -> None:
        """Show the way to the present state, the state, and the next steps."""
        print("\n".join(table(self.model.spec.field_names, self.way)))
        if len(self.way) > 1:
            print(f"now {whole(self.model.spec.field_names, self.state)}")
        self.menu()

    def menu(self) -> None:
        """Say which properties the state breaks, and show the next steps, numbered."""
        self.broken(self.model.broken(self.state))
        found = self.next
        print(f"after {steps(len(self.way) - 1)}" + (", next:" if found else ": nothing may happen"))
        width = max((len(str(event)) for event, _ in found), default=0)
        hidden = {action.name for action in self.model.spec.actions.values() if action.hidden}
        for number, (event, t) in enumerate(found, start=1):
            alone = "  [by itself]" if event.name in hidden else ""
            print(f"  {number:>2}  {event!s:<{width}}  {changes(self.model.spec.field_names, self.state, t)}{alone}")


def span(count: int) -> str:
    """The numbers of so many steps."""
    return f"1 to {count}" if count else "none, as nothing may happen"
