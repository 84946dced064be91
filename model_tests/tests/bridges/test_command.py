"""`loopspec run`: exit statuses, output and errors, tokens, and the lines of a traceback that are the program's."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from impl.bridges.asyncio.run import simulate
from impl.bridges.command import main
from impl.bridges.user_program import shortened

from ...programs.tables import texts
from ..process import python

PROGRAM, TRIO_PROGRAM = texts(Path(__file__).with_name("commands.txt")).values()
#: (a program, its runtime)
MIXED = [
    ("import trio, asyncio\nasync def main():\n    await trio.sleep(1)", "trio"),
    ("import trio, asyncio\nasync def main():\n    await asyncio.sleep(1)", "asyncio"),
    ("import trio, asyncio\nasync def main():\n    asyncio, trio\n    await asyncio.sleep(1)", "asyncio"),
    ("from trio import sleep\nasync def main():\n    await sleep(1)", "trio"),
    ("async def main():\n    import trio.lowlevel as low\n    await low.checkpoint()", "trio"),
    ("import anyio\nasync def main():\n    await anyio.sleep(1)", "asyncio"),
    ("exec('async def main(): pass')", "asyncio"),
    ("import trio\nfrom functools import partial\nmain = partial(trio.sleep, 1)", "trio"),
    ("from functools import partial as p\nasync def f(n):\n    pass\nmain = p(p(f), 1)", "asyncio"),
]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.delitem(sys.modules, "loopspec_program", raising=False)
    path = tmp_path / "random.py"  # a name that another module has
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *argv: object) -> tuple[int, str, str]:
    status = main([str(each) for each in argv])
    return (status, *capsys.readouterr())


def test_a_program_runs_and_its_token_repeats_the_run(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = run(capsys, f"{file}:works", "--seed", 7, "--order", "any")
    status, out, err = first
    assert (status, err) == (0, "")
    got, virtual, events, digest, token = out.splitlines()
    assert got == "got b'line\\n'"
    assert virtual.startswith("virtual time: 0.")
    assert events.startswith("events: ")
    assert len(digest) == len("digest: ") + 64
    assert run(capsys, f"{file}:works", "--token", token.removeprefix("token: ")) == first
    assert run(capsys, f"{file}:works", "--seed", 8) != first


def test_a_program_that_raises_or_cannot_go_on_ends_with_1(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, f"{file}:race")[0] == 0
    found = [run(capsys, f"{file}:race", "--order", "any", "--seed", seed) for seed in range(30)]
    status, _, err = next(ran for ran in found if ran[0])
    assert status == 1
    assert "AssertionError: lost: 1" in err
    token = err.splitlines()[-1].removeprefix("token: ")
    assert run(capsys, f"{file}:race", "--token", token) == (1, "", err)

    status, out, err = run(capsys, f"{file}:waits")
    assert (status, out) == (1, "")
    assert err.startswith("nothing can ever happen any more\n  waits waits at ")
    assert "Event.wait of" in err
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("token: lsa2-")

    status, _, err = run(capsys, f"{file}:works", "--token", token)
    assert status == 1
    assert "the program has changed since" in err

    with pytest.raises(KeyboardInterrupt):
        main([f"{file}:interrupted"])


def test_what_a_program_raises_is_told_by_its_own_lines(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = PROGRAM.splitlines().index('    await asyncio.open_connection("localhost", 8000)') + 1
    status, out, err = run(capsys, f"{file}:fails")
    assert (status, out) == (1, f"argv {[str(file)]}\n")
    head, place, _, error, *rest = err.splitlines()
    assert head == "Traceback (most recent call last):"
    assert place == f'  File "{file}", line {line}, in fails'
    assert error.startswith("ConnectionRefusedError: ")
    assert [each.partition(":")[0] for each in rest] == ["virtual time", "events", "digest", "token"]


def test_a_program_that_has_changed_is_told_what_it_raised_too(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, f"{file}:works", "--seed", 3)
    token = out.splitlines()[-1].removeprefix("token: ")
    status, _, err = run(capsys, f"{file}:fails", "--token", token)
    assert status == 1
    assert "\nConnectionRefusedError: " in err
    assert err.splitlines()[-1].startswith("loopspec run: this is not the run that the token stands for")


def test_a_program_that_exits_does_so_without_a_word(
    file: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(SystemExit, match=r"^3$"):
        main([f"{file}:exits"])
    assert (*capsys.readouterr(), caplog.text) == ("", "", "")


def test_a_file_that_fails_when_it_is_imported_ends_with_1(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text, told in (
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("async def main(:", "SyntaxError: "),
    ):
        file.write_text(text, encoding="utf-8")
        status, out, err = run(capsys, f"{file}:main")
        assert (status, out) == (1, "")
        where = next(line for line in err.splitlines() if "File" in line)
        assert where.startswith(f'  File "{file}", line 1')
        assert err.count("File ") == 1
        assert err.splitlines()[-1].startswith(told)


def test_a_trio_program_is_run_on_trio(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(TRIO_PROGRAM, encoding="utf-8")
    first = run(capsys, f"{file}:works", "--seed", 7, "--order", "any")
    status, out, err = first
    assert (status, err) == (0, "")
    slept, virtual, _, _, token = out.splitlines()
    assert (slept, virtual) == ("slept", "virtual time: 3.000000 s")
    assert token.startswith("token: lst2-")
    assert run(capsys, f"{file}:works", "--token", token.removeprefix("token: ")) == first
    assert run(capsys, f"{file}:works", "--seed", 7, "--order", "any", "--runtime", "trio") == first

    status, out, err = run(capsys, f"{file}:waits")
    assert (status, out) == (1, "")
    assert err.startswith("nothing can ever happen any more\n  task 1, loopspec_program.waits, waits at ")
    status, out, err = run(capsys, f"{file}:fails")
    assert (status, out) == (1, "")
    assert "KeyError: 'key'" in err


@pytest.mark.parametrize(("program", "runtime"), MIXED)
def test_the_runtime_of_a_program_is_recognized(
    file: Path, capsys: pytest.CaptureFixture[str], program: str, runtime: str
) -> None:
    file.write_text(program, encoding="utf-8")
    status, out, _ = run(capsys, f"{file}:main")
    kind = {"asyncio": "lsa2-", "trio": "lst2-"}[runtime]
    assert (status, out.splitlines()[-1][: len("token: lsa2-")]) == (0, f"token: {kind}")


def test_a_token_says_which_runtime(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("import anyio\nasync def main():\n    await anyio.sleep(1)", encoding="utf-8")
    of_asyncio, of_trio = run(capsys, f"{file}:main"), run(capsys, f"{file}:main", "--runtime", "trio")
    assert of_asyncio[0] == of_trio[0] == 0
    for ran in (of_asyncio, of_trio):
        token = ran[1].splitlines()[-1].removeprefix("token: ")
        assert run(capsys, f"{file}:main", "--token", token) == ran
    token = of_asyncio[1].splitlines()[-1].removeprefix("token: ")
    status, _, err = run(capsys, f"{file}:main", "--runtime", "trio", "--token", token)
    assert (status, err) == (2, "loopspec run: --token: it is of a run on asyncio; leave out --runtime\n")


def test_a_version_of_trio_that_was_not_tested_is_named(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trio, "__version__", "9.1.2")
    file.write_text(TRIO_PROGRAM, encoding="utf-8")
    status, _, err = run(capsys, f"{file}:works")
    assert (status, err.count("\n")) == (2, 1)
    assert "this is trio 9.1.2" in err


def test_a_program_has_its_own_packages(tmp_path: Path) -> None:
    """In a process of its own, because packages of ours are renamed in it."""
    for name in ("impl", "spec"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"VALUE = 'my {name}'", encoding="utf-8")
    (tmp_path / "impl" / "sim.py").write_text("VALUE = 'a name that ours has, too'", encoding="utf-8")
    program = "import trio, impl, impl.sim\nasync def main():\n    await trio.sleep(1)\n    import spec\n"
    program += "    print(impl.VALUE, spec.VALUE, impl.sim.VALUE, sep='; ')\n    from impl.no_such import name\n"
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    ran = python("-m", "model_tests.commands.cli", "run", f"{tmp_path}/program.py:main")
    assert (ran.returncode, ran.stdout) == (1, "my impl; my spec; a name that ours has, too\n")
    assert "No module named 'impl.no_such'" in ran.stderr
    assert ran.stderr.splitlines()[-1].startswith("token: lst2-")


@pytest.mark.parametrize(("arguments", "words"), [
    (["{file}"], "FILE:FUNCTION"),
    (["{file}:"], "FILE:FUNCTION"),
    (["nowhere.py:main"], "there is no file 'nowhere.py'"),
    (["{file}/..:main"], "there is no file"),
    (["{other}:main"], "is no Python file"),
    (["{file}:missing"], "no coroutine function 'missing'"),
    (["{file}:not_async"], "no coroutine function 'not_async'"),
    (["{file}:needs"], "needs parameters, parameter"),
    (["{file}:works", "--seed", "-1"], "--seed"),
    (["{file}:works", "--order", "none"], "--order"),
    (["{file}:works", "--token", "none"], "--token"),
    (["{file}:works", "--token", "lsa2-AAAA", "--seed", "1"], "leave out --seed"),
    ([], "FILE:FUNCTION"),
])  # fmt: skip
def test_bad_usage_is_one_line_and_2(
    file: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    other = file.with_suffix(".txt")
    other.touch()
    status, out, err = run(capsys, *(each.format(file=file, other=other) for each in arguments))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("loopspec run: ")
    assert words in err


# `Any`: the values that a coroutine yields do not matter here.

HERE = os.path.relpath(__file__)


def lines(error: BaseException) -> list[str]:
    """Return the lines with positions."""
    return [line.strip() for line in shortened(error).splitlines() if line.lstrip(" |+-").startswith("File ")]


def at(function: Callable[..., object], further: int) -> str:
    line = function.__code__.co_firstlineno + further
    return f'File "{HERE}", line {line}, in {function.__name__}'


async def _loads() -> None:
    json.loads("[")


async def _asks() -> None:
    await asyncio.open_connection("localhost", 1)


async def _fails_in_a_group() -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(_loads())


async def _again() -> None:
    try:
        await _loads()
    except ValueError as error:
        raise KeyError(1) from error


def error_of(program: Callable[[], Coroutine[Any, Any, object]]) -> BaseException:
    error = simulate(program).error
    assert error is not None
    return error


def test_lines_of_the_standard_library_are_left_out() -> None:
    text = shortened(error_of(_loads))
    assert text.startswith("Traceback (most recent call last):\n  " + at(_loads, 1) + "\n    json.loads(")
    assert text.count("File ") == 1
    assert text.endswith("\njson.decoder.JSONDecodeError: Expecting value: line 1 column 2 (char 1)\n")


def test_lines_of_the_bridge_are_left_out() -> None:
    error = error_of(_asks)
    assert lines(error) == [at(_asks, 1)]
    assert shortened(error).splitlines()[-1].startswith("ConnectionRefusedError: ")


def test_what_an_error_came_from_is_shortened_as_well() -> None:
    assert lines(error_of(_again)) == [at(_again, 2), at(_loads, 1), at(_again, 4)]


def test_the_errors_of_a_group_are_shortened_as_well() -> None:
    assert [line.lstrip("|+- ") for line in lines(error_of(_fails_in_a_group))] == [
        at(_fails_in_a_group, 1),
        at(_loads, 1),
    ]


def test_where_no_line_is_the_programs_the_one_that_raised_stays() -> None:
    found = lines(error_of(partial(asyncio.sleep, "no number")))
    assert [Path(line.split('"')[1]).name for line in found] == ["tasks.py"]


def test_a_file_that_is_elsewhere_is_named_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert lines(error_of(_loads)) == [at(_loads, 1).replace(HERE, __file__)]
