"""`loopspec` itself: the subcommands it lists, the modules it loads, and its exit on errors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from impl.commands.outputs import write_script
from spec.kit.core import SpecError

from ...commands import cli
from ...commands.missing_library import extra_of
from ...commands.table import COMMANDS
from ...dev import steps
from ...dev.pythons import ROOT
from ..fixtures import Captured, Patch
from ..process import python


def exit_status(*arguments: str) -> int:
    """Run `loopspec` in this process."""
    try:
        return cli.main(list(arguments))
    except SystemExit as stopped:
        return int(stopped.code or 0)


def command(monkeypatch: Patch, error: BaseException) -> None:
    """Install a subcommand `break`, which raises `error`."""

    def main(argv: list[str]) -> int:
        raise error

    module = ModuleType("breaking")
    module.__dict__["main"] = main
    monkeypatch.setitem(sys.modules, "breaking", module)
    monkeypatch.setitem(COMMANDS, "break", ("breaking", "raise"))


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"]])
def test_help_lists_the_commands(arguments: list[str], capsys: Captured) -> None:
    assert cli.main(arguments) == 0
    listed = capsys.readouterr().out
    assert [name for name in COMMANDS if f"\n  {name}" not in listed] == []


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_each_command_has_help(name: str, capsys: Captured) -> None:
    assert exit_status(name, "-h") == 0
    out, err = capsys.readouterr()
    assert (out.startswith("usage: "), err) == (True, "")


def loaded(*arguments: str) -> set[str]:
    """Return the top-level packages that `loopspec` loads."""
    ran = python("-X", "importtime", "-m", "model_tests.commands.cli", *arguments)
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in ran.stderr.splitlines()}


def test_help_loads_no_wing_and_check_only_spec() -> None:
    assert loaded() & {"model_tests", "impl", "spec"} == {"model_tests"}
    assert loaded("check", "-h") & {"spec", "impl", "hypothesis", "trio", "h11"} == {"spec"}


@pytest.mark.parametrize("arguments", [["no-such-command"], ["--no-such-option"], ["simulat", "--seed", "1"]])
def test_an_unknown_command_is_one_line(arguments: list[str], capsys: Captured) -> None:
    assert cli.main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert repr(arguments[0]) in err


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_an_unknown_option_is_one_line(name: str, capsys: Captured) -> None:
    assert exit_status(name, "--no-such-option") == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "--no-such-option" in err


@pytest.mark.short("h11-arguments0", "protego-arguments4", why="a process each")
@pytest.mark.parametrize(("library", "arguments"), [
    *((library, ["simulate", "--pages", "1"]) for library in ("h11", "idna", "publicsuffixlist", "turbohtml")),
    ("protego", ["crawl", "http://127.0.0.1:1/"]),
])  # fmt: skip
def test_a_missing_extra_is_one_line(library: str, arguments: list[str]) -> None:
    ran = python(
        "-c",
        f"import sys; sys.modules[{library!r}] = None\n"
        f"from model_tests.commands.cli import main; sys.exit(main({arguments!r}))",
    )
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert f"needs {library}" in ran.stderr
    assert "pip install 'loopspec[crawl]'" in ran.stderr


@pytest.mark.parametrize(("error", "status", "said"), [
    (ModuleNotFoundError("No module named 'h11._compiled'", name="h11._compiled"), 2,
        "h11 is installed, but not whole (No module named 'h11._compiled'): pip install --force-reinstall"),
    (ImportError("cannot import name 'x' from 'trio'", name="trio"), 2, "'loopspec[check]'"),
    (ModuleNotFoundError("No module named 'of_a_library'", name="of_a_library"), 2,
        "needs of_a_library, which is not installed: pip install of_a_library"),
    # A missing module of ours is no missing extra.
    (ModuleNotFoundError("No module named 'impl.typo'", name="impl.typo"), 70, "an error inside loopspec"),
    (KeyboardInterrupt(), 130, ""),
])  # fmt: skip
def test_an_error_of_a_command_ends_with_its_status(
    error: BaseException, status: int, said: str, monkeypatch: Patch, capsys: Captured
) -> None:
    command(monkeypatch, error)
    assert cli.main(["break"]) == status
    assert said in capsys.readouterr().err


def test_a_specification_that_cannot_be_imported_is_one_line(monkeypatch: Patch, capsys: Captured) -> None:
    def import_module(name: str) -> ModuleType:
        raise error

    monkeypatch.setattr(cli, "import_module", import_module)
    error: ValueError = SpecError("spec/queue/mutants.py:9: begin its docstring")
    assert cli.main(["check"]) == 2
    assert capsys.readouterr().err == "loopspec check: spec/queue/mutants.py:9: begin its docstring\n"
    error = ValueError("another")
    assert cli.main(["check"]) == 70


def test_the_extras_are_those_of_the_metadata() -> None:
    libraries = ("protego", "Rich", "warcio", "hypothesis", "mkdocs", "no_such_library")
    assert [*map(extra_of, libraries)] == ["crawl", "crawl", "warc", "conform", "site", None]


def test_a_newer_python_is_told_so_once(monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.setattr(cli, "too_new", lambda: "Python 3.16 is newer")
    assert cli.main(["explain"]) == 0
    assert capsys.readouterr().err == "loopspec: Python 3.16 is newer\n"


def test_a_reader_that_went_away_ends_with_141() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "model_tests.commands.cli"],
            cwd=ROOT,
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writer)
    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.parametrize("arguments", [[], ["nonsense"]])
def test_python_m_impl_says_its_usage(arguments: list[str]) -> None:
    ran = python("-m", "impl", *arguments)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)


def test_the_steps_say_their_usage(capsys: Captured) -> None:
    assert steps.main(["--ful"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_failed_step_is_named_and_what_runs_beside_it_is_killed(monkeypatch: Patch, capfd: Captured) -> None:
    good = steps.CommandStep("good", ("platform",))
    monkeypatch.setattr(steps, "steps", lambda *, full: [good, good])
    assert steps.main([]) == 0
    assert capfd.readouterr().out.count("== good: ") == 2
    bad = steps.CommandStep("bad", ("no_such_module",))
    endless = steps.CommandStep("endless", ("http.server", "--bind", "127.0.0.1", "0"))
    monkeypatch.setattr(steps, "steps", lambda *, full: [endless, bad, endless])
    assert steps.main([]) == 1
    out, err = capfd.readouterr()
    assert out.endswith(": No module named no_such_module\n")
    assert err == "make check: step bad failed: python -m no_such_module\n"


#: A command, where OWN is a Python file of the user's, and the options that are to write OUT.
_WRITES = """explore OWN:main: --confirm --json --html --svg
run OWN:main: --html --svg
check OWN: --html --svg --graph
explain OWN: --output
explain queue: --output
explain: --json
conform OWN --only QUEUE-1: --json --junit --badge --html --svg --programs
simulate: --json --html --svg
vectors: --json
crawl report OWN: --json
crawl 127.0.0.1: --json"""


@pytest.mark.parametrize("row", _WRITES.splitlines())
def test_no_command_overwrites_a_source(row: str, tmp_path: Path, capsys: Captured) -> None:
    """Nothing runs, as the file would raise: its own file, another one, links, a script without a suffix."""
    own, other, link, tool, same = (tmp_path / name for name in ("own.py", "b.py", "c.html", "tool", "d.html"))
    for file in (own, other, tool):
        file.write_text("#!/usr/bin/env python3\nraise AssertionError('it was imported')\n", encoding="utf-8")
    link.symlink_to(own)
    os.link(other, same)
    words, _, options = row.rpartition(": ")
    for option in options.split():
        for out in (own, other, link, tool, same):
            before = out.read_bytes()
            assert exit_status(*words.replace("OWN", str(own)).split(), option, str(out)) == 2
            shown, error = capsys.readouterr()
            assert (shown, error.count("\n"), option in error) == ("", 1, True), error
            assert "Python file that loopspec has not written" in error
            assert out.read_bytes() == before


def test_outputs_have_names_of_their_own(tmp_path: Path, capsys: Captured) -> None:
    own, same, script = tmp_path / "own.py", str(tmp_path / "same.html"), tmp_path / "again.py"
    own.write_text("async def main() -> None: ...\n", encoding="utf-8")
    os.link(own, same)
    assert exit_status("run", f"{own}:main", "--html", same) == 2
    assert exit_status("run", f"{own}:main", "--html", "x", "--svg", "x") == 2
    assert capsys.readouterr().err.count(" is also ") == 2
    for text in ("print(1)\n", "print(2)\n"):
        write_script(script, text)
    script.write_text("print(3)\n", encoding="utf-8")
    with pytest.raises(FileExistsError):
        write_script(script, "print(4)\n")
