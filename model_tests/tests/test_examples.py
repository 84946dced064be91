"""The examples behave as their docstrings say: on their seeds, and on others."""

import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from impl.bridges.asyncio.run import simulate
from impl.bridges.trio.run import simulate_trio

from .. import examples
from ..dev.pythons import ROOT
from ..examples import aiohttp_race, anyio_listener, httpx_retries, trio_timeout
from .fixtures import Captured
from .process import python

FOLDER = Path(examples.__file__).parent
ASYNCIO = (aiohttp_race.main, anyio_listener.main)
#: The seed that the example names.
(SEED,) = map(int, re.findall(r"--seed (\d+)", aiohttp_race.__doc__ or ""))


def in_folder(*arguments: str) -> tuple[int, str, str]:
    """Run Python in the folder of the examples, as a user does; return status, output, errors."""
    ran = python(*arguments, cwd=FOLDER)
    return ran.returncode, ran.stdout, ran.stderr


def test_the_examples_are_listed() -> None:
    listed = re.findall(r"^ *(\w+\.py) ", examples.__doc__ or "", re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in FOLDER.glob("*.py") if path.stem != "__init__")


def message(error: BaseException | None) -> str:
    """The text of an error, without the lines that pytest adds to assertions of a package with a plugin."""
    return str(error).partition("\n")[0]


def test_aiohttp_the_ticket_is_sold_twice_in_some_runs() -> None:
    runs = [simulate(aiohttp_race.main, seed=seed) for seed in range(40)]
    twice = [seed for seed, run in enumerate(runs) if run.error is not None]
    assert SEED in twice
    assert 0 not in twice
    assert len(twice) < 20
    assert {message(runs[seed].error) for seed in twice} == {"-1 tickets are left"}
    again = simulate(aiohttp_race.main, token=runs[SEED].token)
    assert (message(again.error), again.digest) == ("-1 tickets are left", runs[SEED].digest)


def test_aiohttp_the_command_finds_it_too() -> None:
    command = "model_tests.commands.cli", "run", "aiohttp_race.py:main", "--seed", str(SEED)
    status, out, err = in_folder("-m", *command)
    assert (status, out.count("one ticket")) == (1, 2)
    assert 'File "aiohttp_race.py", line' in err
    assert err.count("File ") == 1
    assert "\nAssertionError: -1 tickets are left\n" in err


def test_httpx_gets_every_page_whatever_fails(capsys: Captured, full: bool) -> None:
    seeds = 10 if full else 4
    for seed in range(seeds):
        run = simulate(httpx_retries.main, seed=seed, network=httpx_retries.STORMY)
        assert run.outcome() == [f"this is /{number}" for number in range(10)]
    failed = re.findall(r"(\w+)$", capsys.readouterr().out, re.MULTILINE)
    assert len(failed) > 2 * seeds
    assert {"ConnectError", "ReadError"} <= set(failed)


@pytest.mark.long("trio's script is in the short form")
def test_httpx_as_a_script(capsys: Captured) -> None:
    print(simulate(httpx_retries.main, seed=3, network=httpx_retries.STORMY).outcome())
    assert in_folder("httpx_retries.py", "3") == (0, capsys.readouterr().out, "")


@pytest.mark.parametrize("seed", range(5))
def test_anyio_gives_each_request_three_seconds(seed: int, capsys: Captured) -> None:
    run = simulate(anyio_listener.main, seed=seed)
    run.outcome()
    assert sorted(capsys.readouterr().out.splitlines()) == [
        "1 s?  slept for 1 s",
        "2 s?  slept for 2 s",
        "3600 s?  too long",
        "4 s?  too long",
    ]
    assert 3 * 10**9 < run.elapsed_ns < 4 * 10**9


@pytest.mark.parametrize("seed", range(5))
def test_trio_the_first_answer_counts_if_it_is_in_time(seed: int, capsys: Captured) -> None:
    run = simulate_trio(trio_timeout.main, seed=seed)
    run.outcome()
    (at, first), (late, none) = (line.split(" s  ") for line in capsys.readouterr().out.splitlines())
    assert (first, none) == ("b'the answer after 3 s'", "None")
    assert 3 < float(at) < 4
    assert float(late) == pytest.approx(float(at) + 10)


def test_trio_as_a_script(capsys: Captured) -> None:
    simulate_trio(trio_timeout.main, seed=3).outcome()
    assert in_folder("trio_timeout.py", "3") == (0, capsys.readouterr().out, "")


@pytest.mark.parametrize("main", ASYNCIO, ids=lambda main: main.__module__.rpartition(".")[2])
def test_programs_for_the_command_know_nothing_of_us(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    path = Path(main.__code__.co_filename)
    assert not re.search(r"^(from|import) (impl|model_tests)\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert path.is_relative_to(ROOT)
