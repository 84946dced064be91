"""The mutator, the draw, the judge and the reviewed list; `make mutants` and the steps of `make check` use them."""

import json
from collections import Counter
from pathlib import Path

import pytest

from ...assurance.mutation import of_impl, of_texts, review_list
from ...assurance.mutation.draw import LEAST, order
from ...assurance.mutation.edit import Edit
from ...assurance.mutation.mutator import edits
from ...dev.pythons import ROOT
from ..process import python

TEXT = b'''
def f(a: int, b: int, c: str) -> None:
    """\xc3\xa9: not `a < b`."""
    assert a < b
    if a < b and not c:
        g(a, b)
        raise ValueError(f"{a + b}")
    x.y = True
    x.n += 1
    try:
        return
    except OSError:
        x = replace(s, u=At.IN, v=At.OUT)


@spec.action()
def act(k: K, s: S) -> Iterator[S]:
    """A-1: All."""
    for t in [u for u in s.u if u > 0]:
        yield t | {"\xc3\xa9": 1}
'''


def made(text: bytes = TEXT) -> list[Edit]:
    return edits("a/b.py", text)


def test_each_edit_changes_one_node_and_is_python() -> None:
    every = made()
    for edit in every:
        compile(edit.applied(TEXT), edit.file, "exec")
    assert len({edit.applied(TEXT) for edit in every}) == len(every)
    lines = TEXT.decode().splitlines()
    assert all(edit.old.splitlines()[0] in lines[edit.line - 1] for edit in every)


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("negate", "a < b and not c", "(not (a < b and not c))"),
        ("force", "a < b and not c", "False"),
        ("and or or", "a < b and not c", "((a < b) or (not c))"),
        ("drop part", "a < b and not c", "((not c))"),
        ("compare", "a < b", "(a <= b)"),
        ("drop not", "not c", "not not c"),
        ("drop statement", "g(a, b)", "pass"),
        ("swap arguments", "a, b", "b, a"),
        ("swap names", "a", "b"),
        ("drop raise", 'raise ValueError(f"{a + b}")', "pass"),
        ("drop assignment", "x.y = True", "pass"),
        ("constant", "True", "False"),
        ("drop update", "x.n += 1", "pass"),
        ("flip update", "x.n += 1", "x.n -= 1"),
        ("drop return", "return", "pass"),
        ("narrow except", "OSError", "ZeroDivisionError"),
        ("drop effect", "replace(s, u=At.IN, v=At.OUT)", "replace(s, v=At.OUT)"),
        ("other member", "At.IN", "At.OUT"),
        ("drop filter", "u > 0", "True"),
        ("drop operand", 't | {"é": 1}', "(t)"),
        ("drop statement", 'yield t | {"é": 1}', "pass"),
    ],
)  # fmt: skip
def test_the_mutator_makes(kind: str, old: str, new: str) -> None:
    assert (kind, old, new) in {(edit.kind, edit.old, edit.new) for edit in made()}


def test_an_action_is_dropped_whole() -> None:
    [edit] = [edit for edit in made() if edit.kind == "drop action"]
    assert edit.where == "act"
    assert edit.applied(TEXT).decode().endswith('"""A-1: All."""\n    yield from ()\n')


def test_messages_asserts_and_docstrings_are_left_alone() -> None:
    assert {edit.line for edit in made()} & {3, 4} == set()
    assert [edit for edit in made() if edit.old == "a + b"] == []


def test_the_arguments_of_max_are_not_swapped() -> None:
    """The larger of two numbers is the same in either order."""
    assert [edit.new for edit in made(b"def f(a, b):\n    return max(a, b)\n")] == ["min"]


def test_an_edit_is_known_by_its_text_when_lines_move() -> None:
    moved = edits("a/b.py", b"\n\nx = 1\n" + TEXT)
    assert [edit.key for edit in moved] == [edit.key for edit in made()]
    assert len({edit.key for edit in moved}) == len(moved)


def test_a_sample_begins_with_the_shorter_one_and_has_some_of_each_file() -> None:
    places = of_impl.places()
    drawn = order(places, 1)
    assert set(drawn) == set(places)
    assert order(places, 2)[:20] != drawn[:20]
    assert order(places[::-1], 1) == drawn
    files = Counter(edit.file for edit in drawn[: LEAST * len(of_impl.FILES)])
    assert set(files.values()) == {LEAST}
    longest = [edit for edit in drawn[:600] if edit.file == "impl/tasks/task.py"]
    kinds = Counter(edit.kind for edit in longest)
    assert max(kinds.values()) < len(longest) / 4


def test_tests_that_are_not_there_kill_no_edit() -> None:
    with pytest.raises(RuntimeError, match=r"there is no no/such/test_file\.py"):
        of_impl.run_of(["no/such/test_file.py"])()
    near = [f"{of_impl.TESTS}/{name}" for names in of_impl.FILES.values() for name in names]
    wide = (*of_impl.VECTORS, *of_impl.CORE, *of_impl.WIDE, *of_impl.SCHEDULES)
    others = (*of_impl.NET, *of_impl.NET_WIDE, *of_impl.CRAWL)
    for name in (*near, *wide, *others):
        file, _, test = name.partition("::")
        assert (ROOT / file).exists(), name
        assert not test or f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), name


def test_laws_and_what_only_they_call_are_left_alone() -> None:
    edited = {edit.where for edit in of_texts.places() if edit.file == "spec/crawl/specification.py"}
    assert edited & {"is_least", "is_spread", "closed", "under"} == set()
    assert {"handed_on", "spread", "least"} <= edited


def test_every_reviewed_edit_is_still_there() -> None:
    """An entry that is killed now is found by `make mutants`."""
    places = [*of_impl.places(), *of_texts.places()]
    assert [str(review) for review in review_list.missing(review_list.read(), places)] == []


#: Judges of one edit, which has `empty` of a queue return the opposite.
JUDGED = """
from model_tests.assurance.mutation import apart, of_impl

[edit] = [edit for edit in of_impl.places() if edit.where == "Queue.empty"]

def sees():
    import impl, inspect
    assert "return not not self._items" in inspect.getsource(impl.Queue.empty)
    return "" if impl.Queue().empty() else "a test"

def raises():
    import impl
    impl.Queue().get_nowait()

def hangs():
    while True: pass

def ends():
    raise SystemExit

for kill in (sees, str, raises, hangs, ends):
    [verdict] = apart.judged([edit], lambda edit: [apart.Tier("tier", 1, kill)])
    print(verdict.tier or "survives", verdict.by, verdict.killed)
list(apart.judged([edit], lambda edit: [apart.Tier("tier", 1, lambda: 1 / 0)]))
"""


@pytest.mark.long("a process; the step `mutants of impl` judges three edits")
def test_a_judge_has_the_edit_and_a_hang_or_an_error_of_the_edit_is_a_kill() -> None:
    ran = python("-c", JUDGED)
    assert ran.stdout.splitlines() == [
        "tier a test True",
        "survives  False",
        "tier QueueEmpty:  True",
        "tier hangs True",
        "tier ends the process: 0 True",
    ]
    assert "ZeroDivisionError" in ran.stderr.splitlines()[-2]


def test_a_review_has_a_reason_and_a_verdict(tmp_path: Path) -> None:
    entry = {"file": "a", "where": "f", "kind": "force", "old": "a", "new": "True", "number": 0}
    for more, right in (
        ({"verdict": "equivalent", "reason": "it is"}, True),
        ({"verdict": "equivalent", "reason": ""}, False),
        ({"verdict": "perhaps", "reason": "it is"}, False),
    ):
        path = tmp_path / "reviewed.json"
        path.write_text(json.dumps([entry | more]))
        if right:
            [review] = review_list.read(path).values()
            assert list(review_list.missing({review.key: review}, [])) == [review]
        else:
            with pytest.raises(ValueError, match="without a reason"):
                review_list.read(path)
