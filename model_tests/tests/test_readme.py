"""The README is correct: its programs run and print the output that it shows, and its table is complete."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from ..dev.pythons import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")

#: each Python block, with the text block that follows it before the next heading or program, if there is one
PROGRAMS = re.findall(
    r"^```python\n(.*?)^```$(?:(?:(?!^```|^#).)*?^```text\n(.*?)^```$)?", README, re.DOTALL | re.MULTILINE
)


def run(program: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


@pytest.mark.parametrize(("program", "shown"), PROGRAMS)
def test_each_program_runs_and_prints_what_is_shown(program: str, shown: str) -> None:
    printed = run(program)
    assert printed == (shown or printed)


def test_there_is_a_program_for_each_part() -> None:
    for part in (
        "impl.run(main())",
        "impl.Choices.seeded(",
        "@queue.invariant",
        "simulate(",
        "simulate_trio(",
    ):
        assert [program for program, _ in PROGRAMS if part in program], part


def test_a_seed_is_one_schedule() -> None:
    (program,) = (program for program, _ in PROGRAMS if "Choices.seeded" in program)
    first, again, other = run(program).splitlines()
    assert first == again
    assert sorted(first.split()) == sorted(other.split()) == list("abcdef")
    assert first != other


def test_the_run_that_is_shown_is_what_make_crawl_prints() -> None:
    shown = README.partition("<!-- begin: output of make crawl -->")[2].partition("<!-- end")[0]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (options,) = re.findall(r"bin/loopspec (simulate .*)$", makefile, re.MULTILINE)
    command = [sys.executable, "-m", "model_tests.cli", *options.split()]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert shown.strip("\n") == f"```text\n{printed}```"


def test_the_asyncio_program_that_is_shown_prints_that() -> None:
    """Except for its digest and token: aiohttp sends its version, Python's, and the installed codings."""
    shown = README.partition("<!-- begin: output of loopspec run -->")[2].partition("<!-- end")[0]
    (command,) = re.findall(r"^\$ .venv/bin/loopspec (.*)$", shown, re.MULTILINE)
    ran = subprocess.run(
        [sys.executable, "-m", "model_tests.cli", *command.split()],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    printed = f"$ .venv/bin/loopspec {command}\n{ran.stdout}"
    assert ran.returncode == 1
    assert versionless(shown.strip("\n")) == versionless(f"```console\n{printed}```")


def versionless(text: str) -> str:
    text = re.sub(r"lsac\d+-\S+", "TOKEN", text)
    return re.sub(r"^(events: \d+|digest: [0-9a-f]{64}|token: lsa2-\S+)$", "...", text, flags=re.MULTILINE)


def test_the_first_screen_is_a_race_its_command_and_the_report() -> None:
    first, shown = README.partition("<!-- begin: output of loopspec explore -->")[::2]
    assert len(first.splitlines()) < 40
    program = (ROOT / "model_tests" / "examples" / "shop.py").read_text(encoding="utf-8")
    assert f"```python\n{program}```" in first
    lines = [line for line in program.splitlines() if line and not line.startswith("import ")]
    assert len(lines) == 9  # eight, and the `async def` around them
    shown = shown.partition("<!-- end")[0].strip("\n")
    (command,) = re.findall(r"^\$ .venv/bin/loopspec (.*)$", shown, re.MULTILINE)
    ran = subprocess.run(
        [sys.executable, "-m", "model_tests.cli", *command.split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (1, "")
    assert len(ran.stdout.splitlines()) <= 25
    assert versionless(shown) == versionless(f"```console\n$ .venv/bin/loopspec {command}\n{ran.stdout}```")


ROWS = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \|$", README, re.MULTILINE)


def test_the_table_has_a_row_for_each_system() -> None:
    assert [int(number) for number, _, _, _ in ROWS] == list(range(1, 29))
    assert "not yet" not in README


@pytest.mark.parametrize(("files", "test"), [row[2:] for row in ROWS], ids=[row[1] for row in ROWS])
def test_each_system_has_its_file_and_its_test(files: str, test: str) -> None:
    for file in files.split(", "):
        assert (ROOT / "impl" / "ladder" / file.strip("`")).is_file(), file
    module, _, function = test.strip("`").partition("::")
    text = (ROOT / "model_tests" / "tests" / module).read_text(encoding="utf-8")
    assert f"def {function}(" in text if function else "def test_" in text
