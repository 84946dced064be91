"""Of the output of all runs, that of the failing run is shown, in its simplest form: prints, warnings and logs."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from impl.bridges.output import LastLines, audible, muted, recorded_output, unflushed
from impl.explore import explore

from ...dev.pythons import ROOT
from ..process import python

#: It makes handlers before the runs and within them, and keeps a stream.
NOISY = """
import asyncio, logging, sys, warnings
logging.getLogger("shop").addHandler(logging.StreamHandler())
logging.getLogger("shop").propagate = False
KEPT = sys.stdout
stock = {}

async def sell(number):
    logging.getLogger("shop").warning("asks for %d", number)
    if stock["tea"] >= number:
        await asyncio.sleep(0)
        stock["tea"] -= number
        print(number, "sold", flush=True)

async def main(sells=sell):
    logging.basicConfig(format="%(asctime)s %(message)s")
    logging.warning("begins")
    warnings.warn("it is late")
    asyncio.get_running_loop().call_exception_handler({"message": "for the handler of the loop"})
    stock["tea"] = 10
    first = asyncio.create_task(sells(7))
    await asyncio.sleep(0)
    await asyncio.gather(first, asyncio.create_task(sells(6)))
    KEPT.write("to a stream that is kept\\n")
    KEPT.flush()
    sys.stdout.buffer.write(b"bytes\\n")
    assert stock["tea"] >= 0, stock

async def fair():
    lock = asyncio.Lock()
    async def locked(number):
        async with lock:
            await sell(number)
    await main(locked)
"""

#: It is that of the failing run in its simplest form, in virtual time.
LINES = [
    "2024-01-01 00:00:00,000 begins",
    "noisy.py:17: UserWarning: it is late",
    '  warnings.warn("it is late")',
    "asks for 7",
    "asks for 6",
    "7 sold",
    "6 sold",
    "to a stream that is kept",
    "bytes",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "noisy.py").write_text(NOISY.lstrip(), encoding="utf-8")
    return tmp_path


def seen(folder: Path, *command: str) -> tuple[int, str, str]:
    """The exit status and the output of a command."""
    ran = python("-m", "model_tests.commands.cli", *command, cwd=folder, env={"PYTHONPATH": str(ROOT)})
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.short("jobs1", why="four processes each")
@pytest.mark.parametrize("jobs", [(), ("--jobs", "2")])
def test_a_search_shows_the_output_of_the_failing_run_alone(folder: Path, jobs: tuple[str, ...]) -> None:
    status, out, err = seen(folder, "explore", "noisy.py:main", "--json", "found.json", *jobs)
    assert (status, err) == (1, "")
    report, _, output = out.partition("the run's output:\n")
    assert report.splitlines()[-1].startswith("failed (")
    lines = [line.removeprefix("  ").replace(f"{folder}/", "") for line in output.splitlines()]
    # With --jobs the file is loaded twice, and so is its handler.
    assert list(dict.fromkeys(lines)) == LINES
    failure = json.loads((folder / "found.json").read_text(encoding="utf-8"))["failure"]
    assert (len(failure["output"]), failure["output_omitted"]) == (len(lines), 0)
    status, out, err = seen(folder, "run", "noisy.py:main", "--token", failure["token"])
    assert (status, out) == (1, "7 sold\n6 sold\nto a stream that is kept\nbytes\n")
    assert "asks for 7\nasks for 6\n" in err
    assert "for the handler of the loop" in err


@pytest.mark.short("more0", why="a process each")
@pytest.mark.parametrize("more", [(), ("--jobs", "2"), ("--every",)])
def test_a_search_without_a_failure_shows_no_output(folder: Path, more: tuple[str, ...]) -> None:
    status, out, err = seen(folder, "explore", "noisy.py:fair", *more)
    assert (status, err) == (0, "")
    assert [line.partition(" ")[0] for line in out.splitlines()] in (["exhausted"], ["not", "next:"])


def test_the_last_lines_are_shown_without_colours_and_the_rest_is_counted() -> None:
    async def main() -> None:
        for number in range(30):
            print(f"\x1b[31mline {number}\x1b[0m {'x' * 200}")
        print("no end", end="")
        raise ValueError

    report = explore(main).report().splitlines()
    head = report.index("the run's output (its last 20 lines of 31):")
    assert report[head + 1].startswith("  line 11 xxx")
    assert len(report[head + 1]) == 120
    assert report[head + 20 :] == ["  no end"]


def test_an_output_is_read_in_any_parts() -> None:
    text = "one\ntwo\n\nthree"
    for size in range(1, len(text)):
        output = LastLines()
        for at in range(0, len(text), size):
            output.add(text[at : at + size])
        assert output.ended() == (["one", "two", "", "three"], 0)
    assert LastLines().ended() == ([], 0)


def test_the_streams_are_as_before_after_the_blocks() -> None:
    shown, err = io.BytesIO(), io.StringIO()
    out = io.TextIOWrapper(shown, "utf-8")
    before = [dict(vars(each)) for each in (out, shown, err)]
    with redirect_stdout(out), redirect_stderr(err):
        print("first")
        with muted():
            print("dropped")
            with recorded_output() as output, unflushed():
                out.close()  # as a program may
                print("recorded", file=err, flush=True)
                audible(print)("shown")
                print("recorded, too")
            print("dropped")
        print("last", flush=True)
    assert output.ended() == (["recorded", "recorded, too"], 0)
    assert [dict(vars(each)) for each in (out, shown, err)] == before
    assert (shown.getvalue().decode().split(), err.getvalue()) == (["first", "shown", "last"], "")


def test_a_stream_may_be_missing_or_closed() -> None:
    closed = io.StringIO()
    closed.close()
    with redirect_stdout(None), redirect_stderr(closed), muted():
        print("to no stream")
