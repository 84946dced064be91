"""`loopspec new`: the files that it writes pass every check as they are; a bad name writes nothing."""

import sys
from pathlib import Path

import pytest

from spec.commands import check, prove

from ....commands import new as command
from ....commands.template import LONGEST
from ....dev.pythons import ROOT
from ....dev.tutorial import run
from ....documents.explain import command as explain
from ...fixtures import Captured, Patch
from ...process import python

#: The shortest name and the longest: with both, no line is too long, and none is split that a formatter joins.
NAMES = ("q", "token_bucket_abc"[:LONGEST])


@pytest.fixture
def made(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Write the files of a name into the new folder; returns the name."""
    name: str = getattr(request, "param", NAMES[-1])
    assert command.main([name]) == 0
    names = {f"{name}.py", f"{name}_adapter.py", f"test_{name}.py"}
    assert {path.name for path in tmp_path.iterdir()} == names
    return name


@pytest.mark.parametrize("made", NAMES, indirect=True)
def test_the_text_checks_and_is_linted_and_formatted(made: str, tmp_path: Path, capsys: Captured) -> None:
    assert check.main([f"{made}.py"]) == 0
    told = capsys.readouterr().out
    assert "8 states" in told
    assert "refuted, as it must be: no_permit_too_many, after 1 step" in told
    assert "warning" not in told
    assert "\n2 instances, 8 states, 20 edges, 0 violations\n" in told
    for arguments in (["check"], ["format", "--check"]):
        ran = run([sys.executable, "-m", "ruff", *arguments, "--isolated", "."], tmp_path, check=False)
        assert ran.returncode == 0, ran.stdout


@pytest.mark.long("a process of mypy; the types of users are asked for in guides-check")
def test_its_types_are_right(made: str, tmp_path: Path) -> None:
    """From the root of the project, which has a cache of all types."""
    files = map(str, sorted(tmp_path.glob("*.py")))
    ran = python("-m", "mypy", "--strict", *files, env={"MYPYPATH": str(tmp_path), "PYTHONPATH": str(ROOT)})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "in 3 source files" in ran.stdout


def test_it_can_be_rendered_and_proved(made: str, capsys: Captured) -> None:
    assert explain.main([f"{made}.py"]) == 0
    assert f"[{made.upper()}-3]" in capsys.readouterr().out
    pytest.importorskip("z3", reason="the proofs need the extra `prove`")
    assert prove.main([f"{made}.py"]) == 0
    assert "8 obligations: 8 proved, " in capsys.readouterr().out


@pytest.mark.long("a process of pytest")
def test_its_test_passes(made: str, tmp_path: Path) -> None:
    """The tutorial shows that it can fail (spec/LIMITER.md)."""
    options = "-q", "-p", "no:asyncio", "-p", "no:cacheprovider"
    ran = run([sys.executable, "-m", "pytest", *options, "."], tmp_path, check=False)
    assert (ran.returncode, "2 passed" in ran.stdout) == (0, True), ran.stdout


def test_nothing_is_overwritten(made: str, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / f"{made}.py").write_text("mine", encoding="utf-8")
    capsys.readouterr()
    assert command.main([made]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    there = f"{made}.py is there already, and is not overwritten"
    assert err == f"loopspec new: {there}: take another name or folder\n"
    (tmp_path / f"{made}.py").unlink()
    assert command.main([made]) == 2  # two of the three are there
    assert not (tmp_path / f"{made}.py").exists()


@pytest.mark.parametrize(("name", "why"), [
    ("Gate", "lower-case letters"),
    ("1st", "lower-case letters"),
    ("a-b", "lower-case letters"),
    ("", "lower-case letters"),
    ("x" * (LONGEST + 1), f"at most {LONGEST} characters"),
    ("lambda", "it means something in Python"),
    ("list", "it means something in Python"),
    ("model", "the files use it"),
    ("acquire", "the files use it"),
    ("test_gate", "pytest would take"),
    ("json", "there is a module of that name"),
    ("hypothesis", "there is a module of that name"),
    ("impl", "there is a module of that name"),
])  # fmt: skip
def test_a_bad_name_writes_nothing(name: str, why: str, tmp_path: Path, capsys: Captured) -> None:
    assert command.main([name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"loopspec new: {name!r} cannot be the name: ")
    assert why in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_name_must_be_given(capsys: Captured) -> None:
    assert command.main([]) == 2
    assert capsys.readouterr().err == "loopspec new: give it a name, as in  loopspec new limiter\n"


def test_an_unwritable_folder_is_one_line(tmp_path: Path, monkeypatch: Patch, capsys: Captured) -> None:
    real = Path.open

    def full(path: Path, *arguments: object, **more: object) -> object:
        if path.name.startswith("test_"):
            raise OSError(28, "No space left on device")
        return real(path, *arguments, **more)  # type: ignore[call-overload]  # as it was called

    monkeypatch.setattr(Path, "open", full)
    assert command.main(["gate"]) == 2
    assert capsys.readouterr().err == "loopspec new: cannot write test_gate.py: No space left on device\n"
    assert list(tmp_path.iterdir()) == []
