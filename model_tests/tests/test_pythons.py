"""Which Pythons answer, on machines made of shell scripts, and whether make's own pieces fit together."""

import sys
import tomllib
from pathlib import Path

import pytest

from ..commands.supported_versions import too_new
from ..dev import native
from ..dev import pythons as module
from ..dev.pythons import ROOT, SUPPORTED, Interpreter, pythons, releases
from .fixtures import Captured, Patch


def script(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: Patch) -> Path:
    """An empty PATH: a folder to put commands in."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("PYENV_VERSION", raising=False)
    monkeypatch.setattr(module, "FOLDER", tmp_path / "brought")
    return tmp_path


def test_no_python_answers(machine: Path) -> None:
    assert pythons() == []


def test_a_command_that_fails_or_says_nothing_is_not_there(machine: Path) -> None:
    script(machine, "python3.11", "exit 127")
    script(machine, "python3.12", "exit 0")
    script(machine, "python3.13", "echo 3 13 1 a place")
    assert pythons() == [Interpreter("3.13.1", Path("a place"))]
    assert pythons()[0].version == "3.13"


def test_shims_answer_for_the_versions_that_pyenv_has(machine: Path) -> None:
    script(machine, "pyenv", 'test "$*" = "versions --bare" && echo 2.7.18 3.12.1 3.12.10 3.12.9 3.13.0')
    script(
        machine,
        "python3.12",
        'test "$PYENV_VERSION" && echo 3 12 "${PYENV_VERSION#3.12.}" "at $PYENV_VERSION"',
    )
    script(machine, "python3.13", "exit 1")
    assert pythons() == [Interpreter("3.12.10", Path("at 3.12.10"))]
    assert [python.release for python in releases("3.12")] == ["3.12.1", "3.12.9", "3.12.10"]


def test_a_brought_python_is_found_and_a_command_of_another_version_is_not(machine: Path) -> None:
    place = machine / "brought" / "3.15" / "usr" / "bin"
    place.mkdir(parents=True)
    script(place, "python3.15", "echo 3 15 2 brought")
    script(machine, "python3.14", "echo 3 13 0 a link to another")
    assert pythons() == [Interpreter("3.15.2", Path("brought"))]


#: A shell script in the place of apt-get: it makes one package.
APT = """
for word; do case $word in -oDir::Cache=*) cache=${word#*=};; esac; done
case "$*" in *install*) touch $cache/archives/a.deb;; esac
"""
DPKG = """
mkdir -p $3/usr/lib/of $3/usr/bin $3/usr/lib/python3.15
printf '#!/bin/sh\nexit 0' >$3/usr/lib/of/ld-linux.so.2
printf '#!/bin/sh\nexit {status}' >$3/usr/bin/python3.15
echo "'WHEEL_PKG_DIR': '/usr/share/python-wheels/'" >$3/usr/lib/python3.15/_sysconfigdata_.py
chmod +x $3/usr/lib/of/ld-linux.so.2 $3/usr/bin/python3.15
"""


@pytest.fixture
def debian(machine: Path, monkeypatch: Patch) -> Path:
    monkeypatch.setenv("PATH", f"{machine}:/usr/bin:/bin")
    monkeypatch.setattr(native, "_mirror", lambda: "http://mirror.invalid/debian")
    script(machine, "apt-get", APT)
    script(machine, "dpkg", DPKG.format(status=0))
    return machine


def test_a_python_is_brought_into_a_folder_of_its_own(debian: Path) -> None:
    place = debian / "brought" / "3.15"
    assert native.bring("3.15", place.parent) == place / "usr" / "bin" / "python3.15"
    told = (place / "usr" / "lib" / "python3.15" / "_sysconfigdata_.py").read_text(encoding="utf-8")
    assert told == f"'WHEEL_PKG_DIR': '{place}/usr/share/python-wheels/'\n"
    assert [path.name for path in place.parent.iterdir()] == ["3.15"]


@pytest.mark.parametrize(("name", "text", "said"), [
    ("dpkg", DPKG.format(status=139), "python3.15 fails with status 139: it says nothing"),
    ("dpkg", "echo no space; exit 2", "dpkg fails with status 2: no space"),
    ("apt-get", "echo E: no package python3.15-venv; exit 100", "no package python3.15-venv"),
])  # fmt: skip
def test_a_python_that_does_not_work_is_not_left_there(debian: Path, name: str, text: str, said: str) -> None:
    script(debian, name, text)
    with pytest.raises(native.NotBrought, match=said):
        native.bring("3.15", debian / "brought")
    assert list((debian / "brought").iterdir()) == []


def test_a_version_that_is_not_supported_is_not_brought(capsys: Captured) -> None:
    assert native.main(["3.2"]) == 2
    assert "not among" in capsys.readouterr().err


def test_the_supported_versions_are_stated_once(machine: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    begin = "Programming Language :: Python :: 3."
    stated = [each.rpartition(" ")[2] for each in project["classifiers"] if each.startswith(begin)]
    assert tuple(stated) == SUPPORTED
    assert project["requires-python"] == f">={SUPPORTED[0]}"


def test_a_newer_python_is_told_so() -> None:
    assert [too_new((3, 11, 7)), too_new((3, 15, 2))] == ["", ""]
    assert "Python 3.16 is newer" in too_new((3, 16, 0))


def test_this_python_is_among_those_of_this_machine() -> None:
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    if here not in SUPPORTED:
        pytest.skip(f"Python {here} is newer than those of SUPPORTED")
    assert here in [python.version for python in pythons()]
