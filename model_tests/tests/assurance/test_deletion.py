"""Properties and bounded models that could be deleted unnoticed; `make mutants` tries them all, `make check` a few."""

import pytest

from spec.commands.run import label
from spec.kit.bounded import Fails
from spec.registry import REGISTRY

from ...assurance.mutation import alone, evidence, of_texts
from ...assurance.mutation.deletion import tried
from ...assurance.mutation.edit import Key
from ...assurance.mutation.evidence import Evidence
from ..process import python

#: A property that one wrong text breaks alone; and a bounded model that has a claim.
BOUNDED = "queue: at_most_maxsize_items"
UNMISSED = "locks: a semaphore that newcomers may take, tasks 4, permits 2, up to renaming of tasks"


def wrong_text(title: str) -> Fails:
    """Return the wrong text of this name."""
    return next(each for each in REGISTRY if isinstance(each, Fails) and label(each) == title)


def test_each_has_what_would_notice_or_a_claim() -> None:
    """Whether the evidence is right is tried by the command; a claim is of a bounded model."""
    claims, stored = alone.things(), evidence.read()
    assert stored.keys() <= claims.keys()
    assert [of for of, claim in claims.items() if bool(claim) == (of in stored)] == []
    edits = {edit.key for edit in of_texts.places()}
    assert [entry.of for entry in stored.values() if entry.edit and entry.edit not in edits] == []


@pytest.mark.parametrize(("title", "rival"), [
    pytest.param("queue: a put does not check for room", "", marks=pytest.mark.long("the others are faster")),
    ("stream: a reset wakes no sender", "no_lost_receiver"),
    pytest.param(
        "stream: the end wakes no receiver",
        "receive_returns",  # a leads-to property
        marks=pytest.mark.long("the others are faster"),
    ),
])  # fmt: skip
def test_a_wrong_text_has_a_rival_if_another_property_refutes_it(title: str, rival: str) -> None:
    assert alone.rival(wrong_text(title)) == rival


def test_a_property_is_missed_by_the_proof_of_another() -> None:
    pytest.importorskip("z3")
    found = alone.lost("locks: lined_up")
    assert found[0] == "locks"
    assert alone.lost("locks: lined_up", found) == found
    assert alone.lost("locks: lined_up", ("locks", "cancel", "woken_task_gets_permit")) == ()


def test_a_bounded_model_is_missed_by_vacuity() -> None:
    assert alone.missed(UNMISSED) == ""
    assert alone.missed("events: tasks 4") == "uncancel never happens"


@pytest.mark.long("six deletions, each judged by all checks")
def test_what_nothing_would_miss_is_reported() -> None:
    [text] = evidence.read()[BOUNDED].texts
    entries = [
        Evidence(BOUNDED, texts=(text,)),
        Evidence(BOUNDED, texts=(text, "queue: another")),
        Evidence(UNMISSED, missed=True),
        Evidence(BOUNDED, edit=Key("spec/queue/specification.py", "get", "force", "a", "b", 0)),
        Evidence(BOUNDED),
        Evidence(UNMISSED),
    ]
    claims = {BOUNDED: "", UNMISSED: "a reason"}
    assert list(tried(entries, claims, {})) == [
        ("a wrong text", ""),
        ("", f"STALE: {BOUNDED}: it alone refutes {text}"),
        ("", f"STALE: {UNMISSED}: without it every part is reached"),
        ("", f"STALE: {BOUNDED}: it is not alone in killing {entries[3].edit}"),
        ("", f"UNNOTICED: {BOUNDED}"),
        ("a claim", ""),
    ]


#: Prints the sole killer of a mutant: the property that is stored with it, and neither of the others.
MUTANT = """
from model_tests.assurance.mutation import deletion, evidence, of_texts

needed, *others = "only_cancelled_waiters_pass_on", "notify_wakes_a_waiter", "no_negative_permits"
[key] = [entry.edit for entry in evidence.read().values() if entry.of == f"locks: {needed}"]
[edit] = [edit for edit in of_texts.places() if edit.key == key]
for of, _ in deletion.killed([edit], {f"locks: {name}" for name in (needed, *others)}):
    print(of)
"""


@pytest.mark.long("a process that judges a mutant")
def test_a_mutant_shows_that_a_property_is_needed() -> None:
    assert python("-c", MUTANT, check=True).stdout == "locks: only_cancelled_waiters_pass_on\n"
