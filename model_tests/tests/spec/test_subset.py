"""The subset of Python: all shipped specifications keep to it; code outside is reported with place and reason.

Each reason for which the subset or the prover refuses code ends with the text to write instead.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from spec.commands.target import load
from spec.kit.core import Spec
from spec.kit.render import subset
from spec.kit.render.source import Untranslatable, callees, helpers, roots, source
from spec.kit.render.subset import outside
from spec.queue import Queue, queue
from spec.queue import specification as queues
from spec.registry import REGISTRY

from ...dev.pythons import ROOT

TEXTS = {instance.spec.name: instance.spec for instance in REGISTRY}


@pytest.mark.parametrize("name", TEXTS)
def test_a_shipped_text_keeps_to_the_subset(name: str) -> None:
    assert [str(bad) for bad in outside(TEXTS[name])] == []


@pytest.mark.parametrize("name", TEXTS)
def test_what_a_reader_of_a_shipped_text_meets_is_complete(name: str) -> None:
    spec = TEXTS[name]
    begin = roots(spec)
    items = [item for table in spec.tables() for item in table.values()]
    assert {item.fn for item in items} <= set(begin)
    assert {fn for item in items for fn in (item.answer, item.trigger) if fn} <= set(begin)
    met = [*begin, *(fn for fn in helpers(spec) if fn.__name__ not in spec.opaque)]
    laws = {spec.laws[fn.__name__] for fn in helpers(spec) if fn.__name__ in spec.laws}
    assert {helper for fn in met for helper in callees(fn)} | laws == set(helpers(spec))


def test_a_helper_of_another_module_is_found() -> None:
    derived = Spec("mine", Queue, extends=queue)

    @derived.invariant
    def full_or_not(k: queues.Const, s: Queue) -> bool:
        """MY-1: It is full, or not."""
        return queues.full(k, s) or not queues.full(k, s)

    assert callees(source(full_or_not).fn) == [queues.full]
    assert outside(derived) == []


# Code outside the subset.  Each text below is the body of a property, or of an action, at the end of HEAD.

HEAD = '''\
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import Iterator

from spec.kit.core import Spec
from spec.kit.core import Map

Colour = Enum("Colour", "RED GREEN")
BOUND = 3

@dataclass(frozen=True)
class State:
    n: int
    xs: tuple[int, ...]
    some: frozenset[int]
    at: Map[int, Colour]

text = Spec("text", State)

def half(s: State) -> bool:
    """Whether something holds."""
    return s.n == 0

def steps(s: State) -> Iterator[State]:
    """The possible next states."""
    yield s

def round_and_round(s: State) -> bool:
    return round_and_round(s)

'''
PROPERTY = HEAD + '@text.invariant\ndef rule(k: int, s: State) -> bool:\n    """T-1: A rule."""\n'
ACTION = HEAD + '@text.action()\ndef rule(k: int, s: State, x: int) -> Iterator[State]:\n    """T-1: A rule."""\n'


@pytest.fixture
def text(tmp_path: Path) -> Callable[[str], Any]:
    """The module that such a file is."""

    def loaded(code: str) -> Any:
        (tmp_path / "text.py").write_text(code, encoding="utf-8")
        return load(tmp_path / "text.py")

    return loaded


@dataclass(frozen=True)
class Case:
    """A body, one statement a line; the expression reported in its line `at`, and why.

    After that reason the report names a text to write instead.
    """

    body: str
    told: str
    why: str
    at: int = 1


IN_A_PROPERTY = [
    Case("while True: pass", "while True: pass", "a loop"),
    Case("for x in s.xs: pass\nreturn True", "for x in s.xs: pass", "a loop outside a generator"),
    Case("return [x for x in s.xs] == []", "[x for x in s.xs]", "a list can change: write a set", 1),
    Case("return s.xs == [1]", "[1]", "a list can change: write a tuple"),
    Case("s.xs.append(1)\nreturn True", "s.xs.append(1)", "nothing changes"),
    Case("s.n = 1\nreturn True", "s.n = 1", "nothing changes"),
    Case("n = 1\nn += 1\nreturn True", "n += 1", "nothing changes", 2),
    Case("n = 1\nn = 2\nreturn n == 2", "n", "the name has a value already", 2),
    Case("return any(s == 1 for s in s.xs)", "s", "the name has a value already"),
    Case("a = b = 1\nreturn True", "a = b = 1", "nothing changes"),
    Case("a, b = s.xs\nreturn True", "a, b = s.xs", "nothing changes"),
    Case("if s.n == 0:\n    a = 1\nreturn True", "a = 1", "a branch without a value to return", 2),
    Case("if s.n == 0: return True", "if s.n == 0: return True", "a branch without a value to return"),
    Case("return", "return", "a branch without a value to return"),
    Case("pass", "pass", "a branch without a value to return"),
    Case("if s.n == 0: return True\nelse: return False\nreturn True", "if s.n == 0: return True else: return False",
        "nothing after it is reached"),
    Case("f = lambda: True\nreturn f()", "lambda: True", "a function without a name"),
    Case("return (lambda: True)()", "(lambda: True)()", "the function called is not a helper"),
    Case("def f(): return True\nreturn f()", "def f(): return True", "a function inside a function"),
    Case("try: return True\nexcept KeyError: return False", "try: return True", "an exception is not a state"),
    Case("with s.n: pass\nreturn True", "with s.n: pass", "nothing is entered"),
    Case("assert s.n\nreturn True", "assert s.n", "a check inside a rule"),
    Case("del s\nreturn True", "del s", "nothing changes"),
    Case("raise KeyError", "raise KeyError", "an exception is not a state"),
    Case("global G\nreturn True", "global G", "such a statement is outside"),
    Case("match s.n:\n    case 0: return True\nreturn True", "match s.n: case 0:", "such a statement is outside"),
    Case('return f"{s.n}" == 1', 'f"{s.n}"', "a string is not a value"),
    Case('return s.n == "one"', '"one"', "such a value is outside"),
    Case("return s.n == 1.5", "1.5", "such a value is outside"),
    Case("return s.n is 1", "s.n is 1", "`is` compares objects"),
    Case("return s.n * 2 == 2", "s.n * 2", "such a value is outside"),
    Case("return s.n == +1", "+1", "such a value is outside"),
    Case("return (n := s.n) == 1", "n := s.n", "give it a name in a line of its own"),
    Case("return s.xs == (*s.xs, 1)", "*s.xs", "write the elements"),
    Case("return s.xs[:2] == ()", "s.xs[:2]", "of a tuple only"),
    Case("return s.xs[-1:] == ()", "s.xs[-1:]", "of a tuple only"),
    Case("return s.xs[::2] == ()", "s.xs[::2]", "of a tuple only"),
    Case("return s.some == {1}", "{1}", "it can change"),
    Case("return {1: 2} == s.at", "{1: 2}", "it can change"),
    Case("return {x for x in s.xs} == s.some", "{x for x in s.xs}", "it can change"),
    Case("return s.some | s.some == s.some", "s.some | s.some", "only a display"),
    Case("return s.at | {**s.at} == s.at", "{**s.at}", "write the elements"),
    Case("return s.some & {1} == s.some", "s.some & {1}", "such a value is outside"),
    Case("return any([True])", "any([True])", "not with these arguments"),
    Case("return all(True for x.y in s.xs)", "x.y", "only names are given a value"),
    Case("return (x for x in s.xs) == 1", "(x for x in s.xs)", "a generator that no all"),
    Case("return max(s.xs) == 1", "max(s.xs)", "not with these arguments"),
    Case("return frozenset(s.xs) == s.some", "frozenset(s.xs)", "not with these arguments"),
    Case("return replace(s, **{}) == s", "replace(s, **{})", "not with these arguments"),
    Case("return State(1, (), s.some, s.at) == s", "State(1, (), s.some, s.at)", "not with these arguments"),
    Case("return sorted(s.xs) == 1", "sorted(s.xs)", "the function called is not a helper"),
    Case("return pairwise(s.xs) == 1", "pairwise(s.xs)", "the function called is not a helper"),
    Case("return s.at.get(1) == 1", "s.at.get(1)", "the function called is not a helper"),
    Case("return nowhere(s)", "nowhere(s)", "the function called is not a helper"),
    Case("return half(s=s)", "half(s=s)", "helpers take their arguments by position"),
    Case("return steps(s) == s", "steps(s)", "a helper generator is not a value"),
    Case("return half == 1", "half", "a name that has no value here"),
    Case("return s.n < BOUND", "BOUND", "a name that has no value here"),
    Case("if s.n == 0:\n    n = 1\n    return n == 1\nreturn n == 2", "n", "a name that has no value here", 4),
    Case("return s.at[1] == Colour.BLUE", "Colour.BLUE", "Colour has no such member"),
]  # fmt: skip

IN_AN_ACTION = [
    Case("yield s\nreturn", "return", "a return in a generator", 2),
    Case("if (yield s): yield s", "yield s", "a yield is a statement of its own"),
    Case("yield", "yield", "nothing changes"),
    Case("yield s\nhalf(s)", "half(s)", "nothing changes", 2),
    Case("yield from s.xs", "s.xs", "not a helper generator"),
    Case("yield steps(s)", "steps(s)", "a helper generator is not a value"),
    Case("for x in s.xs: yield s", "x", "the name has a value already"),
    Case("for y in s.xs: yield s\nelse: yield s", "for y in s.xs: yield s else: yield s", "a loop has no else"),
    Case("for y in s.xs: yield s\nyield replace(s, n=y)", "y", "a name that has no value here", 2),
    Case("if s.n == 0: n = 1\nyield replace(s, n=n)", "n", "a name that has no value here", 2),
    Case("async def f(): pass\nyield s", "async def f(): pass", "such a statement is outside"),
    Case("while s.n: yield s", "while s.n: yield s", "a loop"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "case"), [
    *((PROPERTY, case) for case in IN_A_PROPERTY),
    *((ACTION, case) for case in IN_AN_ACTION),
], ids=lambda value: value.body.replace("\n", "; ") if isinstance(value, Case) else "")  # fmt: skip
@pytest.mark.filterwarnings("ignore::SyntaxWarning")  # `is` with a number
def test_what_leaves_the_subset_is_told(head: str, case: Case, text: Callable[[str], Any]) -> None:
    module = text(head + "".join(f"    {line}\n" for line in case.body.splitlines()))
    place = f"{module.__file__}:{head.count(chr(10)) + case.at}: {case.told}"
    told = [str(bad) for bad in outside(module.text)]
    found = [line for line in told if line.startswith(place) and f": {case.why}" in line]
    assert found, told
    assert [line for line in found if line.removeprefix(place).count(": ") < 2] == []


def test_all_of_the_subset_is_inside(text: Callable[[str], Any]) -> None:
    module = text(
        ACTION
        + """\
    y = max(1, s.n, -x)
    if 0 < y <= len(s.xs) and not half(s):
        if any((a, b) == (1, y) for a in s.xs if a != 1 for b in s.some):
            yield replace(s, n=sum(1 for a in s.some), xs=s.xs[:1] + s.xs[1:] + (x,))
        elif s.n in (1, 2):
            z: int = 3
            yield replace(s, at=s.at | {z: Colour.RED}, some=frozenset({x}))
        else:
            yield State(n=1, xs=(), some=frozenset(), at=s.at | {b: Colour.GREEN for b in s.some})
    for a in s.some - {1}:
        yield s if a == 1 else replace(s, some=s.some | ({a} if True else {b for b in s.xs}))
    for q in steps(s):
        yield q
    yield from steps(s)
"""
    )
    assert [str(bad) for bad in outside(module.text)] == []


def test_everything_that_leaves_the_subset_is_told_at_once(text: Callable[[str], Any]) -> None:
    module = text(PROPERTY + "    a = [1]\n    b = [2]\n    return a == b\n")
    told = [str(bad).partition(": ")[2] for bad in outside(module.text)]
    assert told == [f"[{n}]: a list can change: write a tuple" for n in (1, 2)]


def test_a_helper_is_looked_into_and_so_is_what_it_calls(text: Callable[[str], Any]) -> None:
    outer = "def outer(s: State): return inner(s)"
    body = f"    return outer(s)\n\n{outer}\n\ndef inner(s: State): return [] == s\n"
    (told,) = outside(text(PROPERTY + body).text)
    assert f":{PROPERTY.count(chr(10)) + 5}: []: " in str(told)


def test_a_helper_that_calls_itself_is_told(text: Callable[[str], Any]) -> None:
    module = text(PROPERTY + "    return round_and_round(s)\n")
    line = HEAD[: HEAD.index("def round_and_round")].count("\n") + 1
    assert [str(bad) for bad in outside(module.text)] == [
        f"{module.__file__}:{line}: round_and_round: "
        "a helper that calls itself: let it opt out, Spec(..., opaque={name: reason})"
    ]


def test_an_answer_and_a_trigger_are_looked_into(text: Callable[[str], Any]) -> None:
    code = '''
def wrong_answer(k: int, s: State, t: State, x: int) -> tuple[int, ...]:
    return s.xs[2:]

@text.action(answer=wrong_answer)
def rule(k: int, s: State, x: int) -> Iterator[State]:
    """T-1: A rule."""
    yield s

def wrong_trigger(k: int, s: State) -> bool:
    return s.n * 2 == 0

@text.leads_to(wrong_trigger)
def other(k: int, s: State) -> bool:
    """T-2: A rule."""
    return True
'''
    told = [str(bad) for bad in outside(text(HEAD + code).text)]
    assert [line.split(": ", 1)[1] for line in told] == [
        "s.xs[2:]: of a tuple only [:1] and [1:] are taken: write these, or a helper that opts out",
        "s.n * 2: such a value is outside the subset: write + and -, or a sum over a set; of sets, | and -",
    ]


@pytest.mark.parametrize("params", ["k, s, *rest", "k, s, x=1", "k, s, *, x", "k, /, s", "k, s, **more"])
def test_parameters_are_plain(params: str, text: Callable[[str], Any]) -> None:
    module = text(HEAD + f'@text.action()\ndef rule({params}):\n    """T-1: A rule."""\n    yield s\n')
    assert [": only plain parameters: write " in str(bad) for bad in outside(module.text)] == [True]


@pytest.mark.parametrize(("head", "body", "told"), [
    ("action()\ndef rule(k: int, s: State, x) -> Iterator[State]:", "yield s",
     "x: a parameter without a type: annotate it"),
    ("invariant\ndef rule(c: int, s: State) -> bool:", "return c == 1",
     "rule: its first parameter, the constants, must be called k: rename it"),
    ("leads_to(lambda k, s: True)\ndef rule(k, s):", "return True", "a function without a name: write a helper"),
])  # fmt: skip
def test_a_signature_can_be_read(head: str, body: str, told: str, text: Callable[[str], Any]) -> None:
    (said,) = outside(text(f'{HEAD}@text.{head}\n    """T-1: A rule."""\n    {body}\n').text)
    assert str(said).endswith(f": {told}")
    if "without a type" in told:
        assert f":{HEAD.count(chr(10)) + 2}: " in str(said)


def test_a_function_without_a_file_is_told() -> None:
    namespace: dict[str, Any] = {}
    exec("def made(k, s): return True", namespace)
    with pytest.raises(Untranslatable, match="its source cannot be found"):
        source(namespace["made"])


def opting_out(**opaque: str) -> str:
    return HEAD.replace('Spec("text", State)', f'Spec("text", State, opaque={opaque!r})')


def test_an_opaque_helper_is_not_looked_into(text: Callable[[str], Any]) -> None:
    body = PROPERTY[len(HEAD) :] + "    return outer(s)\n\ndef outer(s: State): return inner(s) == []\n"
    body += "\ndef inner(s): return {}\n"
    module = text(opting_out(outer="it is ugly") + body)
    assert outside(module.text) == []
    assert [fn.__name__ for fn in helpers(module.text)] == ["outer"]


@pytest.mark.parametrize("name", ["nowhere", "steps", "rule"])  # no function; one that is not called; a property
def test_a_name_that_is_opaque_in_vain_is_told(name: str, text: Callable[[str], Any]) -> None:
    module = text(opting_out(**{name: "it is ugly"}) + PROPERTY[len(HEAD) :] + "    return half(s)\n")
    (told,) = map(str, outside(module.text))
    assert told == f"text: {name} is opaque, but no rule calls a helper of that name: leave it out"


def test_a_derived_specification_need_not_use_what_its_base_opts_out(text: Callable[[str], Any]) -> None:
    module = text(opting_out(half="it is ugly") + PROPERTY[len(HEAD) :] + "    return half(s)\n")
    derived: Spec[Any, Any] = Spec("derived", module.State, extends=module.text, without=["rule"])

    @derived.action()
    def nothing(k: int, s: Any) -> Iterator[Any]:
        """T-2: Nothing happens."""
        yield s

    assert outside(derived) == []


def refusals() -> Iterator[tuple[str, str]]:
    """(place, text) of every reason that a reader gives with `at`, `bad` or Unreadable for refusing code."""
    for folder in ("render", "prove"):
        for path in sorted((ROOT / "spec" / "kit" / folder).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Raise):
                    text = ast.unparse(node)
                    if "Unreadable(" in text and "{why}" not in text:
                        yield f"{path.name}:{node.lineno}", text
                if isinstance(node, ast.Call) and len(node.args) == 2:
                    called = ast.unparse(node.func)
                    if called == "at" or called.endswith(".bad"):
                        yield f"{path.name}:{node.lineno}", ast.unparse(node.args[1])


def test_every_refusal_says_what_to_write_instead() -> None:
    """As text of its own, or by one of the names that have such a text."""
    reasons = dict(refusals())
    assert len(reasons) > 40
    named = {name: getattr(subset, name) for name in ("OTHER_STATEMENT", "ON_THE_RIGHT", "PARTS")}
    named |= {f"WHY[ast.{node.__name__}]": why for node, why in subset.WHY.items()}
    silent = {
        place: reason
        for place, reason in reasons.items()
        if ": " not in named.get(reason, reason) and not reason.startswith(("WHY.get(", "why", "str(error)"))
    }
    assert silent == {}
    assert [why for why in subset.WHY.values() if ": " not in why] == []
