"""Formulas: the meaning of a text, in mathematical notation, on one line or in several."""

# ruff: noqa: RUF001  (the signs are meant: they are mathematics)

from collections.abc import Callable
from pathlib import Path

import pytest

from spec.commands.target import load
from spec.kit.render.layout import Formula, lay
from spec.kit.render.notation import statement

MOST_COLUMNS = 100

HEAD = """\
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import NewType
from spec.kit.core import Map

Task = NewType("Task", int)
At = Enum("At", "HERE THERE")

@dataclass(frozen=True)
class Const:
    tasks: frozenset[Task]
    strict: bool

@dataclass(frozen=True)
class State:
    n: int
    xs: tuple[int, ...]
    some: frozenset[Task]
    at: Map[Task, At]
    got: Map[Task, tuple[int, ...]]

def here(k: Const, s: State, w: Task) -> bool:
    return s.at[w] == At.HERE

def quiet(k: Const, s: State) -> bool:
    return s.n == 0

def both(k: Const, s: State, t: State) -> bool:
    return s == t

def moved(s: State, w: Task) -> State:
    return replace(s, at=s.at | {w: At.THERE})

def moves(k: Const, s: State) -> Iterator[State]:
    yield s

"""
VALUE = HEAD + "def it(k: Const, s: State, t: State, w: Task, m: int):\n"
STEPS = HEAD + "def it(k: Const, s: State, w: Task) -> Iterator[State]:\n"


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Formula]:
    def read(code: str) -> Formula:
        path = tmp_path / "a_text.py"
        path.write_text(code, encoding="utf-8")
        return statement(load(path).it)

    return read


@pytest.mark.parametrize(("value", "formula"), [
    ("k.strict and (s.n == 1 or t.n != 1)", "strict ∧ (n = 1 ∨ n′ ≠ 1)"),
    ("s.n == 1 or (k.strict and s.n > 2)", "n = 1 ∨ (strict ∧ n > 2)"),
    ("not k.strict and not (s.n == 1)", "¬strict ∧ ¬(n = 1)"),
    ("0 <= s.n < m <= 3", "0 ≤ n < m ≤ 3"),
    ("s.n - (1 - m) - -1 == 0", "n − (1 − m) − −1 = 0"),
    ("w in s.some or (w, w) in s.some", "w ∈ some ∨ ⟨w, w⟩ ∈ some"),
    ("s.at[w] in (At.HERE, At.THERE)", "at[w] ∈ {HERE, THERE}"),
    # implications, equivalences
    ("not k.strict or s.n == 1", "strict ⇒ n = 1"),
    ("s.n != 1 or w not in s.some or k.strict", "n = 1 ∧ w ∈ some ⇒ strict"),
    ("s.n != 1 or s.n != 2", "n = 1 ⇒ n ≠ 2"),
    ("k.strict or not s.n == 1", "strict ∨ ¬(n = 1)"),
    ("not k.strict or s.n == 1 or s.n == 2", "strict ⇒ n = 1 ∨ n = 2"),
    ("(k.strict and not k.strict) or s.n == 1", "(strict ∧ ¬strict) ∨ n = 1"),
    ("not (k.strict or s.n == 1) or s.n == 2", "(strict ∨ n = 1) ⇒ n = 2"),
    ("k.strict or (s.n == 1 and (s.n != 2 or s.n == 3))", "strict ∨ (n = 1 ∧ (n ≠ 2 ∨ n = 3))"),
    ("k.strict or all(s.n != 2 or v == w for v in s.some)", "strict ∨ (∀ v ∈ some: n = 2 ⇒ v = w)"),
    ("(s.n == 1) == (w in s.some)", "n = 1 ⇔ w ∈ some"),
    ("(s.n == 1) == (k.strict and w in s.some)", "n = 1 ⇔ (strict ∧ w ∈ some)"),
    ("here(k, s, w) == k.strict", "here(w) ⇔ strict"),
    ("1 if not k.strict or s.n == 1 else 2", "if ¬strict ∨ n = 1 then 1 else 2"),
    # quantifiers, numbers
    ("all(here(k, s, v) for v in k.tasks)", "∀ v ∈ tasks: here(v)"),
    ("all(v == u for v in k.tasks for u in k.tasks)", "∀ v, u ∈ tasks: v = u"),
    ("all(v == u for v in k.tasks for u in s.some)", "∀ v ∈ tasks, u ∈ some: v = u"),
    ("all(v == w for v in k.tasks if here(k, s, v))", "∀ v ∈ tasks: here(v) ⇒ v = w"),
    ("any(v == w for v in k.tasks if here(k, s, v))", "∃ v ∈ tasks: here(v) ∧ v = w"),
    ("any(a == b for a, b in s.some)", "∃ ⟨a, b⟩ ∈ some: a = b"),
    ("any(True for v in k.tasks)", "tasks ≠ ∅"),
    ("all(not here(k, s, v) for v in k.tasks) or k.strict", "(∃ v ∈ tasks: here(v)) ⇒ strict"),
    ("all(v == w for v in k.tasks) and k.strict", "(∀ v ∈ tasks: v = w) ∧ strict"),
    ("all(v == 1 for v in (1, 2))", "∀ v ∈ {1, 2}: v = 1"),
    ("sum(1 for v in k.tasks if here(k, s, v)) == 1", "|{v ∈ tasks : here(v)}| = 1"),
    ("sum(1 for v in k.tasks) == len(s.xs)", "|tasks| = |xs|"),
    ("sum(1 for x in s.xs if x == m) == 1", "(# x ∈ xs: x = m) = 1"),
    ("m + sum(s.n for v in k.tasks) == 1", "m + (Σ v ∈ tasks: n) = 1"),
    ("max(s.n, 1) == 1", "max(n, 1) = 1"),
    # sequences, sets, maps
    ("s.xs + (m,) == s.xs[:1] + s.xs[1:]", "xs ∘ ⟨m⟩ = xs[:1] ∘ xs[1:]"),
    ("s.got[w] + () == ()", "got[w] ∘ ⟨⟩ = ⟨⟩"),
    ("s.some | {w} == s.some - {w}", "some ∪ {w} = some ∖ {w}"),
    ("s.some | {v for v in k.tasks if here(k, s, v)}", "some ∪ {v ∈ tasks : here(v)}"),
    ("s.some | {(v, w) for v in k.tasks if v != w}", "some ∪ {⟨v, w⟩ : v ∈ tasks ∧ v ≠ w}"),
    ("frozenset() == frozenset({w})", "∅ = {w}"),
    ("s.at | {w: At.HERE}", "at ⊕ {w ↦ HERE}"),
    ("s.at | ({w: At.HERE} if k.strict else {})", "at ⊕ (if strict then {w ↦ HERE} else ∅)"),
    ("s.at | {v: At.HERE for v in s.some}", "at ⊕ {v ↦ HERE : v ∈ some}"),
    # states
    ("here(k, s, w) and here(k, t, w)", "here(w) ∧ here′(w)"),
    ("quiet(k, s) and quiet(k, t)", "quiet ∧ quiet′"),
    ("both(k, s, t) and both(k, t, s) and both(k, s, s)", "both ∧ both(s′, s) ∧ both(s)"),
    ("here(k, moved(s, w), w)", "here(moved(w), w)"),
    ("t.at[w] == s.at[w]", "at′[w] = at[w]"),
    ("replace(s, n=1) == t", "(s with n = 1) = s′"),
    ("State(n=1, xs=(), some=s.some, at=s.at, got=s.got) == s",
     "(State with n = 1, xs = ⟨⟩, some = some, at = at, got = got) = s"),
])  # fmt: skip
def test_a_value_in_notation(value: str, formula: str, written: Callable[[str], Formula]) -> None:
    assert written(f"{VALUE}    return {value}\n").flat() == formula


@pytest.mark.parametrize(("body", "lines"), [
    ("yield s", ["s′ = s"]),
    ("yield replace(s, n=1)", ["n′ = 1"]),
    ("yield replace(s, n=1, xs=())", ["∧ n′ = 1", "∧ xs′ = ⟨⟩"]),
    ("yield moved(s, w)", ["s′ = moved(w)"]),
    ("yield replace(moved(s, w), n=s.n)", ["s′ = moved(w) with n = n"]),
    ("yield from moves(k, s)", ["s′ ∈ moves"]),
    ("yield s\nyield moved(s, w)", ["s′ = s ∨ s′ = moved(w)"]),
    ("if k.strict: yield s", ["strict ∧ s′ = s"]),
    ("if k.strict: yield s\nelse: yield moved(s, w)", ["if strict then s′ = s else s′ = moved(w)"]),
    ("if k.strict: yield s\nelif s.n == 1: yield s", ["if strict then s′ = s else n = 1 ∧ s′ = s"]),
    ("yield s if k.strict else moved(s, w)", ["if strict then s′ = s else s′ = moved(w)"]),
    ("for q in moves(k, s): yield replace(q, n=q.n)", ["∃ q ∈ moves: s′ = q with n = q.n"]),
    ("for v in k.tasks:\n    if here(k, s, v): yield s", ["∃ v ∈ tasks: here(v) ∧ s′ = s"]),
    ("at = s.at[w]\nyield replace(s, at=s.at | {w: at})", ["let at = s.at[w]", "in  at′ = s.at ⊕ {w ↦ at}"]),
    ("a = 1\nb = 2\nyield replace(s, n=a + b)", ["let a = 1", "    b = 2", "in  n′ = a + b"]),
    ("yield s\na = 1\nyield replace(s, n=a)", ["∨ s′ = s", "∨ let a = 1", "  in  n′ = a"]),
    ("if k.strict:\n    if s.n == 1: yield s\n    else: yield replace(s, n=1, xs=())",
     ["∧ strict", "∧ if n = 1 then s′ = s", "  else ∧ n′ = 1", "       ∧ xs′ = ⟨⟩"]),
])  # fmt: skip
def test_what_a_generator_says(body: str, lines: list[str], written: Callable[[str], Formula]) -> None:
    code = STEPS + "".join(f"    {line}\n" for line in body.splitlines())
    assert lay(written(code), MOST_COLUMNS) == lines


@pytest.mark.parametrize(("value", "width", "lines"), [
    ("k.strict and (s.n == 1 or s.n == 2)", 20, ["∧ strict", "∧ n = 1 ∨ n = 2"]),
    ("k.strict and (s.n == 1 or s.n == 2)", 14, ["∧ strict", "∧ ∨ n = 1", "  ∨ n = 2"]),
    ("not k.strict or s.n == 1", 10, ["  strict", "⇒ n = 1"]),
    ("all(here(k, s, v) for v in k.tasks)", 19, ["∀ v ∈ tasks:", "  here(v)"]),
    ("1 if k.strict else 2 if s.n == 1 else 3", 30, ["if strict then 1", "else if n = 1 then 2", "else 3"]),
    ("replace(s, n=1, xs=())", 20, ["s with", "  n = 1", "  xs = ⟨⟩"]),
    ("s.at | {v: At.HERE for v in s.some if v != w}", 44, ["at ⊕ {v ↦ HERE : v ∈ some ∧ v ≠ w}"]),
    ("s.at | {v: At.HERE for v in s.some if v != w}", 36, ["at ⊕ {v ↦ HERE : v ∈ some ∧ v ≠ w}"]),
    ("s.at | {v: At.HERE for v in s.some if v != w}", 33, ["at ⊕", "  {v ↦ HERE : v ∈ some ∧ v ≠ w}"]),
])  # fmt: skip
def test_lists(value: str, width: int, lines: list[str], written: Callable[[str], Formula]) -> None:
    assert lay(written(f"{VALUE}    return {value}\n"), width) == lines


def test_branches_with_returns_are_a_choice(written: Callable[[str], Formula]) -> None:
    body = "    a = s.n\n    if a == 1:\n        return 1\n    if a == 2:\n        return 2\n    return 3\n"
    lines = ["let a = n", "in  if a = 1 then 1 else if a = 2 then 2 else 3"]
    assert lay(written(VALUE + body), MOST_COLUMNS) == lines
