"""Profiles: interfaces that differ on purpose, and exceptions of a subject's own classes."""

from pathlib import Path

import pytest

import impl

from ... import conform
from ...conformance import command
from ...conformance.budget import Budget
from ...conformance.child_player import documented
from ...conformance.judge import State
from ...conformance.kit import run
from ...conformance.process import Process
from ...conformance.subjects.profiles import PROFILES, built_in, shown
from ...conformance.subjects.subject import SubjectError, load, profiled
from ...programs.runtimes import observe
from ...programs.tables import texts
from ...programs.vectors.notation import program
from ..fixtures import Captured, Patch
from .mine import subject

OWNED, POOL, CHANNEL, AGAIN, CHECKED, NEWEST, FORGETS, POLLING, HALF, HALF_EVENT = texts(
    Path(__file__).with_name("profiles.txt")
).values()


pytestmark = pytest.mark.usefixtures("small")


@pytest.mark.parametrize("name", PROFILES)
def test_each_profile_says_what_differs(name: str) -> None:
    profile = built_in(name)
    assert profile.about.endswith(".")
    assert profile.left_out or profile.differs or profile.adapt or profile.ways
    for differs, thing in profile.differs.items():
        assert thing is not getattr(impl, differs)


def test_a_program_about_the_difference_is_not_played() -> None:
    profile = built_in("owner_checked")
    hands = program("l = Lock()\nawait l.acquire()\na = go(other)\nturn()\nasync def other(): l.release()")
    keeps = program("l = Lock()\nawait l.acquire()\nl.release()")
    names = frozenset({"Lock"})
    assert (profile.difference(hands, names), profile.difference(keeps, names)) == ("Lock", "")
    assert shown(keeps, {}) == observe(keeps, "impl")


MAY, REENTRANT = "the holder of a Lock may acquire it again", "reentrant,half_async"
ACQUIRE, RELEASE = "self.inner.acquire", "self.inner.release"
MUTEX = "await self.mutex.acquire(); self.mutex.release()"
SECOND = pytest.mark.long("the short form has another one of its profile and status")
LOST = "LOCK-4", "LOCK-5", "LOCK-8"  # a wake-up, with a cancelled waiter
FEW = "LOCK-1", "LOCK-7", "LOCK-10", *LOST, "LOCK-9", "SEM-3", "EVENT-3"


@pytest.mark.parametrize(("text", "profile", "breaks", "note"), [
    (OWNED, "", "", "profile owner_checked: "),
    pytest.param(OWNED.replace("raise RuntimeError", "assert False"), "", "", "profile owner_checked: ", marks=SECOND),
    (CHECKED, "", "", "profile reentrant: "),
    pytest.param(AGAIN, "", "", f"{MAY}: if that is the purpose, use --profile reentrant", marks=SECOND),
    (AGAIN, "reentrant", "", "profile reentrant: "),
    pytest.param(AGAIN.replace("        return True\n", ""), REENTRANT, "", f"profile {REENTRANT}: ", marks=SECOND),
    pytest.param(AGAIN.replace("await super", "self._locked or await super"), "reentrant", "LOCK-1", "", marks=SECOND),
    pytest.param(NEWEST, "", "LOCK-10", "", marks=SECOND),
    pytest.param(NEWEST, "unfair", "", "profile unfair: ", marks=SECOND),
    (FORGETS, "unfair", "LOCK-8", ""),
    pytest.param(POLLING, "unfair", "", "", marks=SECOND),
    (HALF, "", "LOCK-9", "release() of a Lock returns something: if that is to be awaited, use --profile half_async"),
    (HALF, "half_async", "", "profile half_async: "),
    pytest.param(HALF.replace(RELEASE, f"{MUTEX}; {RELEASE}"), "half_async", "", "", marks=SECOND),
    pytest.param(HALF.replace(RELEASE, f"await asyncio.sleep(0); {RELEASE}"), "half_async", "", "", marks=SECOND),
    (HALF_EVENT, "half_async", "", ""),
    (HALF_EVENT.replace("self.inner.clear()", "pass"), "half_async", "EVENT-3", ""),
    pytest.param(HALF.replace(ACQUIRE, f"self.inner.locked() or {ACQUIRE}"), "half_async", "LOCK-1", "", marks=SECOND),
    pytest.param(POLLING.replace("self.change.set()", "pass"), "unfair", "LOCK-8", "", marks=SECOND),
])  # fmt: skip
def test_what_differs_on_purpose_is_not_held_against_a_subject_and_a_bug_is(
    text: str, profile: str, breaks: str, note: str, full: bool, tmp_path: Path
) -> None:
    """`breaks`: a rule that the bug breaks, if there is one; the short form asks for that alone, or for a few."""
    only = () if full else (breaks,) if breaks else FEW
    report = run(subject(tmp_path, text) + (f" as {profile}" if profile else ""), only, budget=Budget(runs=4))
    assert report.status == bool(breaks), report.text()
    assert not note or any(each.startswith(note) for each in report.notes)


def test_two_profiles_are_one() -> None:
    _, profile = profiled("lock.py as owner_checked,unfair,half_queue")
    assert (profile.name, "Queue" in profile.left_out) == ("owner_checked,unfair,half_queue", True)
    assert len(profile.ways) == 2
    assert sorted(profile.differs)[:2] == ["Condition", "Lock"]


@pytest.mark.parametrize(("text", "thing", "profile", "rule"), [
    pytest.param(POOL, "Pool", "pool", "LOCK-6", marks=pytest.mark.long("a channel is in the short form")),
    (CHANNEL, "channel", "channels", "QUEUE-1"),
])  # fmt: skip
def test_an_interface(text: str, thing: str, profile: str, rule: str, full: bool, tmp_path: Path) -> None:
    name = f"{subject(tmp_path, text)}:{thing}"
    only = () if full else (rule, "QUEUE-5")  # the short form is about a channel
    report = conform(name, only=only, profile=profile, random=20 if full else 4)
    states = {verdict.rule: verdict.state for verdict in report.verdicts}
    assert states[rule] is State.HELD
    assert set(states.values()) <= {State.HELD, State.ABSENT}


@pytest.mark.long("a search of ten seconds")
def test_a_pool_that_loses_a_connection_to_a_cancel_is_broken(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.undo()
    report = run(f"{subject(tmp_path, POOL)}:Leaking as pool", budget=Budget(runs=0))
    assert report.status == 1
    assert report.broken


def test_a_profile_of_ones_own_leaves_methods_out(tmp_path: Path) -> None:
    profile = tmp_path / "no_clear.py"
    profile.write_text('"""It stays set."""\nLEFT_OUT = {"Event": ["clear"]}\n')
    name = subject(tmp_path, "import asyncio\nclass Event(asyncio.Event):\n    def clear(self): 1 / 0\n")
    report = conform(name, profile=profile, random=0)
    assert report.notes[-2:] == ["profile no_clear: It stays set.", "Event: left out on purpose: clear"]


def test_a_profile_that_is_not_there_or_does_not_fit_is_one_line(tmp_path: Path, capsys: Captured) -> None:
    name = subject(tmp_path, POOL)
    assert command.main([name, "--profile", "nothing"]) == 2
    assert "there is no profile nothing: name one of channels, half_async" in capsys.readouterr().err
    profile = tmp_path / "fails.py"
    profile.write_text("def adapt(thing): return thing.nothing\n")
    with pytest.raises(SubjectError, match=r"the profile cannot adapt .*mine.py: AttributeError"):
        load(f"{name}:Pool as {profile}")
    with pytest.raises(SubjectError, match="has no class or function Nothing"):
        load(f"{name}:Nothing as pool")


def test_an_exception_counts_as_its_documented_class() -> None:
    class Full(impl.QueueFull): ...

    class Own(ExceptionGroup[Exception]): ...

    made = type("Stop", (StopIteration,), {"__module__": "model_tests.programs.vectors.player"})
    kinds = (Full, Own, made, KeyError)
    assert [documented(kind) for kind in kinds] == ["QueueFull", "ExceptionGroup", "Stop", "KeyError"]


@pytest.mark.long("a second")
def test_errors_of_the_subjects_own_making_are_named_with_their_place(full: bool, tmp_path: Path) -> None:
    text = "import asyncio\nclass Event(asyncio.Event):\n    def set(self):\n        self.waiter.nothing()\n"
    with Process(subject(tmp_path, text)) as process:
        process.one(program("e = Event()\ne.set()"))
        assert process.mistakes == ["AttributeError in mine.py:4"]
        process.one(program("e = Event()\ne.clear()"))
        assert process.mistakes == []
    assert "raised AttributeError in mine.py:4, in " in "\n".join(
        run(str(tmp_path / "mine.py"), [] if full else ["EVENT-3"], budget=Budget(runs=0)).notes
    )
