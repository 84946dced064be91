"""Which Pythons answer, on machines made of shell scripts, and whether make's own pieces fit together."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ..dev.pythons import SUPPORTED, Interpreter, pythons


def script(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty PATH: a folder to put commands in."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("PYENV_VERSION", raising=False)
    return tmp_path


def test_no_python_answers(machine: Path) -> None:
    assert pythons() == []


def test_a_command_that_fails_or_says_nothing_is_not_there(machine: Path) -> None:
    script(machine, "python3.11", "exit 127")
    script(machine, "python3.12", "exit 0")
    script(machine, "python3.13", "echo 3 13 1 a place")
    assert pythons() == [Interpreter("3.13", Path("a place"))]


def test_shims_answer_for_the_versions_that_pyenv_has(machine: Path) -> None:
    script(machine, "pyenv", 'test "$*" = "versions --bare" && echo 2.7.18 3.12.1 3.12.10 3.12.9 3.13.0')
    script(
        machine,
        "python3.12",
        'test "$PYENV_VERSION" && echo 3 12 "${PYENV_VERSION#3.12.}" "at $PYENV_VERSION"',
    )
    script(machine, "python3.13", "exit 1")
    assert pythons() == [Interpreter("3.12", Path("at 3.12.10"))]


def test_this_python_is_among_those_of_this_machine() -> None:
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    if here not in SUPPORTED:
        pytest.skip(f"Python {here} is newer than those of SUPPORTED")
    assert here in [python.version for python in pythons()]
