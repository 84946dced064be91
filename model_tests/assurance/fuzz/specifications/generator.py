"""Random specifications, as texts of the corpus: a grammar of the subset, and of a step beyond it.

grammar.txt has the forms of each kind of text.  `<kind>` is a text of that kind; `@t`, `@n`, `@b` are new names of a
task, an int, a bool, and in `<kind@t>` that name has its value.  A form behind `!` is beyond the subset, `/` ends a
line.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from textwrap import indent
from typing import Final

from .corpus import whole

#: The fields of states: kind, type, value in the initial state.
FIELDS: Final = {
    "a": ("int", "int", "0"),
    "at": ("colors", "Map[Task, Color]", "Color.RED"),
    "b": ("int", "int", "1"),
    "c": ("color", "Color", "Color.RED"),
    "f": ("bool", "bool", "False"),
    "h": ("ints", "Map[Task, int]", "0"),
    "line": ("pairs", "frozenset[tuple[Task, Task]]", "frozenset()"),
    "on": ("bools", "Map[Task, bool]", "False"),
    "p": ("task", "Task", "Task(0)"),
    "q": ("seq", "tuple[int, ...]", "()"),
    "v": ("set", "frozenset[Task]", "frozenset()"),
    "w": ("set", "frozenset[Task]", "frozenset()"),
}
#: The kinds of values with a part for each task.
KEYED: Final = {"bools", "colors", "ints", "set"}
NAMES: Final = {"t": "task", "n": "int", "b": "bool"}
HEAD: Final = """\
class Color(Enum):
    RED = 1
    BLUE = 2
def clip(n: int) -> int:
    return min(max(n, 0), 2)
def short(q: tuple[int, ...]) -> tuple[int, ...]:
    return q if len(q) <= 2 else q[:1]
def pick(n: int, b: bool) -> int:
    if b:
        return n + 1
    m = n - 1
    return clip(m)
"""
#: Fields, an action and an invariant that it keeps.
KEPT: Final = (
    ("a", "if s.a < k.most:\n    yield replace(s, a=s.a + 1)", "0 <= s.a <= max(k.most, 0)"),
    ("a v", "if t not in s.v:\n    yield replace(s, a=s.a + 1, v=s.v | {t})", "s.a == sum(1 for t in s.v)"),
    ("b f", "yield replace(s, b=2, f=True)", "not (s.f) or s.b == 2"),
    ("h v", "yield replace(s, h=s.h | {t: 1}, v=s.v | {t})", "all(0 < s.h[t] for t in s.v)"),
    ("line v", "yield replace(s, line=s.line | {(t, t)}, v=s.v | {t})", "all((t, t) in s.line for t in s.v)"),
    ("on v", "yield replace(s, on=s.on | {t: True}, v=s.v | {t})", "all(s.on[t] for t in s.v)"),
    ("p q", "if s.p != t:\n    yield replace(s, p=t, q=(s.q + (1,))[:1])", "len(s.q) <= 1"),
    ("v w", "yield replace(s, v=s.v - {t}, w=s.w | {t})", "not any(t in s.w for t in s.v)"),
)
#: A line that yields a state.
YIELD: Final = re.compile(r"^( *)yield (?!from)(.+)$", re.MULTILINE)
#: Helpers beyond the subset, by the name that a text calls.
BEYOND: Final = {
    "other(": "def other(n: int, by: int = 1) -> int:\n    return n - by\n",
    "twice(": "twice = lambda n: n + n\n",
    "inner(": "def make(m):\n    def inner(n: int) -> bool:\n        return n < m\n    return inner\ninner = make(2)\n",
}
GRAMMAR: Final = Path(__file__).with_name("grammar.txt").read_text(encoding="utf-8")
FORMS: Final = {
    kind: re.split(r" ~ |\n +", forms)
    for kind, forms in re.findall(r"^([a-z]+\+?) +(.+(?:\n +.+)*)", GRAMMAR, re.MULTILINE)
}
#: The kinds of texts that end with their first form; their parts are never at their end.
ENDS: Final = {"block", "truth", *(kind for kind in FORMS if kind[-1] == "+")}
#: A kind in a form, with the name that has a value there; the helpers that not every specification has.
HOLE: Final = re.compile(r"<([a-z]+\+?)(?:@(\w))?>")
CALL: Final = re.compile(r"\b(held|moved)\(")
#: A comparison of a value with itself.
SAME: Final = re.compile(r"(.+) (?:[=!<]=|<|in) \1")
Scope = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Generated:
    """A specification; `beyond`: it leaves the subset."""

    state: str
    text: str
    beyond: bool

    @property
    def module(self) -> str:
        return whole(self.text, self.state)


class Writer:
    """Writes the texts of one specification; `beyond`: a form beyond the subset was taken."""

    def __init__(self, rnd: Random, fields: Mapping[str, str], *, daring: bool) -> None:
        self.rnd, self.fields, self.daring = rnd, fields, daring
        self.beyond, self.names = False, 0
        self.helpers: list[str] = []
        one = [f"{name}=<{kind}+>" for name, kind in fields.items()]
        two = [f"{a}, {b}" for a in one for b in one if a < b]
        self.forms = {
            **FORMS,
            "effect": [*(f"replace(s, {x})" for x in [*one, *two]), f"State({', '.join(one)})"],
        }

    def text(self, kind: str, *, states: str = "s", tasks: str = "", depth: int = 2) -> str:
        """A text of a kind, where the fields of the states and these tasks have a value."""
        scope = {"task": [*tasks]}
        for name, of in self.fields.items():
            scope[of] = [*scope.get(of, []), *(f"{state}.{name}" for state in states)]
        return self.written(kind, scope, depth) or "False"

    def written(self, kind: str, scope: Scope, depth: int) -> str | None:
        """A text of a kind in a scope, or None: there is no value to write it with."""
        forms = [form for form in self.forms[kind] if self.is_allowed(form, scope)]
        if kind[-1] == "+":
            depth = max(depth, 2)
        elif depth < 1 and kind != "effect":
            inner = "<bool" if kind == "bool" else "<"
            forms = forms[:1] if kind in ENDS else [form for form in forms if inner not in form]
        known = scope.get(kind, [])
        order = self.rnd.sample(forms, len(forms))
        if depth < 1 and kind == "int":
            order = self.rnd.sample([*known, *forms], len(known) + len(forms))
        elif known and (depth < 1 or self.rnd.random() < 0.3):
            order = [self.rnd.choice(known)]
        texts = (self.filled(form, scope, depth - 1) for form in [*order, *known])
        return next((text for text in texts if text is not None), "True" if kind == "bool" else None)

    def is_allowed(self, form: str, scope: Scope) -> bool:
        """Whether a form may be taken: one about values only if one of them is not constant."""
        if (form[0] == "!" and not self.daring) or any(name not in self.helpers for name in CALL.findall(form)):
            return False
        kinds = {kind for kind, name in HOLE.findall(form) if not name} - {"bool", "block", "effect"}
        return not kinds or any(scope.get(kind) or scope.get(f"{kind}s") or kind[-1] == "+" for kind in kinds)

    def filled(self, form: str, scope: Scope, depth: int) -> str | None:
        """A form with texts for its kinds and names, or None."""
        self.names += 1
        number, text = self.names, ""
        for part in re.split(r"(<[^>= ]+>)", form.removeprefix("!").replace("/", "\n")):
            if (match := HOLE.fullmatch(part)) is None:
                text += re.sub(r"@(\w)", rf"\g<1>{number}", part)
                continue
            kind, name = match.groups()
            more = {NAMES[name]: [*scope.get(NAMES[name], []), f"{name}{number}"]} if name else {}
            if (found := self.written(kind, {**scope, **more}, depth)) is None:
                return None
            space = text[text.rfind("\n") + 1 :]
            text += found.replace("\n", "\n" + space) if space.isspace() else found
        if SAME.fullmatch(text):
            return None
        if form.startswith("!"):  # one is enough, or all would be refused
            self.beyond, self.daring = True, False
        return text


class Draft:
    """One specification while it is written, a function after the other."""

    def __init__(self, rnd: Random) -> None:
        self.rnd = rnd
        fields, self.keeps, self.kept = rnd.choice(KEPT) if rnd.random() < 0.5 else ("", "", "")
        self.names = sorted({*fields.split(), *rnd.sample(sorted(FIELDS), rnd.randint(1, 3 if fields else 4))})
        self.guarded = rnd.random() < 0.6
        kinds = {name: FIELDS[name][0] for name in self.names}
        self.writer = Writer(rnd, kinds, daring=rnd.random() < 0.3)
        self.parts: list[str] = []
        #: The last fair action of those tasks; the place and the tasks of each action.
        self.fair, self.placed = dict[str, str](), dict[str, tuple[int, str]]()

    def add(self, before: str, name: str, result: str, kind: str, tasks: str = "", states: str = "s") -> None:
        """A function; a rule, before which a decorator stands, has a docstring."""
        body = self.writer.text(kind, states=states, tasks=tasks, depth=2 if before else 1)
        if self.guarded and kind == "block":
            body = YIELD.sub(r"\1if inv0(k, \2):\n\1    yield \2", body)
        self.write(before, name, result, body if kind in ENDS else f"return {body}", tasks, states)

    def write(self, before: str, name: str, result: str, body: str, tasks: str = "", states: str = "s") -> None:
        """A function with that body."""
        types = ", ".join([*(f"{state}: State" for state in states), *(f"{task}: Task" for task in tasks)])
        rule = f'"""X-{len(self.parts) + 2}: A rule."""\n' * bool(before)
        self.parts.append(
            f"{before}\ndef {name}(k: Const, {types}) -> {result}:\n{indent(rule + body, '    ')}\n".lstrip()
        )

    def helpers(self) -> None:
        """The helpers, or some of them."""
        for name, result, kind, tasks in (
            ("held", "bool", "truth", "t"),
            ("moved", "Iterator[State]", "block", ""),
        ):
            if self.rnd.random() < 0.3:
                self.add("", name, result, kind, tasks)
                self.writer.helpers.append(name)

    def actions(self) -> None:
        """One to three actions, and that which keeps an invariant, with it."""
        for number in range(self.rnd.randint(1, 3)):
            name, tasks = f"act{number}", self.rnd.choice(["", "t", "t", "tu"])
            if self.rnd.random() < 0.5:
                self.fair[tasks] = name
            self.placed[name] = len(self.parts), tasks
            fair = name in self.fair.values()
            self.add(f"@x.action(fair={fair})", name, "Iterator[State]", "block", tasks)
        if self.kept:
            self.write("@x.action()", "keeps", "Iterator[State]", self.keeps, "t")
            self.write("@x.invariant", "inv0", "bool", f"return {self.kept}")

    def properties(self) -> None:
        """Invariants, step properties, and perhaps a leads-to."""
        for number in range(bool(self.kept), self.rnd.randint(1, 3)):
            self.add("@x.invariant", f"inv{number}", "bool", "truth")
        for name in (name for name in self.names if name in ("a", "b") and self.rnd.random() < 0.5):
            self.write("@x.invariant", f"natural_{name}", "bool", f"return 0 <= s.{name} <= 2")
        for number in range(self.rnd.randint(0, 2)):
            self.add("@x.step", f"step{number}", "bool", "truth", states="sz")
        if self.rnd.random() < 0.5:
            tasks = self.rnd.choice(["", "t"])
            self.add("", "when", "bool", "truth", tasks)
            self.add("", "rank", "int", "int", tasks)
            by = f', rank=rank, by={{"{self.fair[tasks]}": when}}' if tasks in self.fair else ""
            self.add(
                f"@x.leads_to(when{self.rnd.choice(['', ', rank=rank', by])})",
                "comes",
                "bool",
                "truth",
                tasks,
            )

    def declare(self, rnd: Random) -> None:
        """Declare of some actions when they are possible, and what they change."""
        self.writer.rnd = rnd
        for name, (place, tasks) in self.placed.items():
            body, declared = self.parts[place], ""
            if rnd.random() < 0.3:  # often the condition that it asks first, and so its promise
                asked = re.search(r'"""\n    if (.+):\n', body)
                must = (
                    f"return {asked[1]}"
                    if asked and rnd.random() < 0.6
                    else self.writer.text("truth", tasks=tasks, depth=1)
                )
                self.write("", f"must_{name}", "bool", must, tasks)
                declared, self.parts[place] = f"whenever=must_{name}, ", self.parts.pop() + "\n" + body
            if rnd.random() < 0.3:
                changed = [of for of in self.names if rnd.random() < (0.8 if f"{of}=" in body else 0.3)]
                keyed = [
                    f"{of}[t]" if KEYED & {FIELDS[of][0]} and "t" in tasks and rnd.random() < 0.3 else of
                    for of in changed
                ]
                declared += f"changes={' '.join(keyed)!r}, "
            self.parts[place] = self.parts[place].replace("@x.action(", f"@x.action({declared}", 1)

    def done(self) -> Generated:
        """The specification."""
        text = "".join(self.parts)
        state = ", ".join(f"{name}: {FIELDS[name][1]} = {FIELDS[name][2]}" for name in self.names)
        text = "".join([HEAD, *(helper for call, helper in BEYOND.items() if call in text), text])
        if "p" not in self.names and self.rnd.random() < 0.1:  # keys that are ints
            state, text = (re.sub(r"\bTask\b", "int", part) for part in (state, text))
        return Generated(state, text, self.writer.beyond)


def generated(seed: int, number: int) -> Generated:
    """The specification of this number."""
    draft = Draft(Random(f"{seed} {number}"))
    draft.helpers()
    draft.actions()
    draft.properties()
    draft.declare(Random(f"{seed} {number} declared"))
    return draft.done()
