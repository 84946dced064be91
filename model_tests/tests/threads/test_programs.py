"""Programs with threads, of asyncio, trio and libraries: a search finds and names races, and accuses no right one.

A program of a library has its race unless `FIXED` is true.
"""

import importlib.util
import json
import re
import threading
import time
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from impl.bridges.asyncio.run import simulate
from impl.bridges.trio.run import simulate_trio
from impl.explore import explore
from impl.explore.programs.program import RuntimeName, UserMain

from ...programs.tables import texts
from ..fixtures import Patch

HERE = Path(__file__).parent
ON_TRIO = {**texts(HERE / "trio_races.txt"), **texts(HERE / "trio_right.txt")}
RACES = {**texts(HERE / "races.txt"), **texts(HERE / "trio_races.txt")}
RIGHT = {**texts(HERE / "right.txt"), **texts(HERE / "trio_right.txt")}
OF_LIBRARIES = {**texts(HERE / "libraries.txt"), **texts(HERE / "django.txt")}
DIGESTS = HERE / "digests.json"
HEAD = """\
import {runtime}, contextvars, queue, threading, time
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path

LOCK, BOX, FIXED = threading.Lock(), {{}}, {fixed}

def run_all(*functions):
    threads = [threading.Thread(target=each) for each in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

"""


@pytest.fixture
def no_thread_stays() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def runtime_of(text: str) -> RuntimeName:
    return "trio" if text in ON_TRIO.values() else "asyncio"


def program(name: str, text: str, folder: Path, monkeypatch: Patch, fixed: bool = False) -> UserMain:
    """The function `main` of a text of a table; the test is skipped if a library is not there that the text needs."""
    for needed in " ".join(re.findall("^needs: (.+)$", text, re.M)).split():
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed")
    kind = "library_" if text in OF_LIBRARIES.values() else "threads_"
    module = f"{kind}{re.sub('[^a-zA-Z]', '_', name)}{'_fixed' * fixed}"
    head = HEAD.format(runtime=runtime_of(text), fixed=fixed)
    (folder / f"{module}.py").write_text(head + re.sub("^(says|needs): .+\n", "", text, flags=re.M), encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.chdir(folder)
    main: UserMain = import_module(module).main
    return main


def digests(folder: Path, monkeypatch: Patch) -> dict[str, str]:
    """For each program, a digest of the tokens of ten runs: of its choice points and its events."""
    found = {}
    for name, text in {**RACES, **RIGHT}.items():
        main = program(f"digest {name}", text, folder, monkeypatch)
        run = simulate_trio if runtime_of(text) == "trio" else simulate
        tokens = [run(main, seed=seed, order="any").recorded_token() for seed in range(10)]
        found[name.partition(": ")[0]] = sha256("".join(tokens).encode()).hexdigest()[:16]
    return found


def test_equal_runs_are_equal_in_any_process_and_on_any_python(tmp_path: Path, monkeypatch: Patch) -> None:
    """The digests are those of CPython 3.13; `python -m model_tests.tests.threads.test_programs` stores others."""
    assert digests(tmp_path, monkeypatch) == json.loads(DIGESTS.read_text(encoding="utf-8"))


@pytest.mark.usefixtures("no_thread_stays")
@pytest.mark.filterwarnings("ignore:coroutine 'answer' was never awaited")
@pytest.mark.short(
    "a lock held across an await: DeadlockError", "two locks in two orders: DeadlockError",
    "a check, then an act: ValueError|IndexError", "a callback that does not wake the loop: DeadlockError",
    "the result of a coroutine, awaited in the loop's own thread: DeadlockError",
    "a task between two blocking calls of a thread: AssertionError: 1",
    "two locks in two orders, on trio: DeadlockError",
    "a thread that outlives its timeout, on trio: AssertionError: .'new', 'old'.", why="half a second each",
)  # fmt: skip
@pytest.mark.parametrize("head", RACES)
def test_a_race_is_found_and_named(head: str, tmp_path: Path, monkeypatch: Patch) -> None:
    find_and_name(head, RACES[head], 300, tmp_path, monkeypatch)


@pytest.mark.parametrize("head", OF_LIBRARIES)
def test_a_race_of_a_library_is_found_and_named(head: str, tmp_path: Path, monkeypatch: Patch) -> None:
    find_and_name(head, OF_LIBRARIES[head], 1000, tmp_path, monkeypatch)


def find_and_name(head: str, text: str, runs: int, folder: Path, monkeypatch: Patch) -> None:
    name, _, error = head.partition(": ")
    runtime = runtime_of(text)
    found = explore(program(name, text, folder, monkeypatch), runs=runs, runtime=runtime)
    assert found.failure is not None, found
    assert re.search(error, found.failure.outcome), found.failure.outcome
    report = found.report()
    for each in re.findall("^says: (.+)$", text, re.M):
        assert re.search(each, report), report
    assert found.failure.simple.threads or "waits" in report
    outcome = re.escape(found.failure.outcome)
    for token, said in ((found.failure.token, outcome), (found.failure.simple.token, error)):
        again = explore(found.failure.program.setup.main, token=token, runtime=runtime)
        assert again.failure is not None
        assert re.search(said, again.failure.outcome)


@pytest.mark.parametrize("head", OF_LIBRARIES)
def test_a_library_without_its_race_is_not_accused(head: str, full: bool, tmp_path: Path, monkeypatch: Patch) -> None:
    begun = time.monotonic()
    main = program(head.partition(": ")[0], OF_LIBRARIES[head], tmp_path, monkeypatch, fixed=True)
    found = explore(main, runs=1000 if full else 10)
    assert found.failure is None, found.report()
    assert found.threaded
    assert full or time.monotonic() - begun < 60, "it waits for real time"


@pytest.mark.usefixtures("no_thread_stays")
@pytest.mark.short(
    "a lock around each use-False", "a pipeline of pools-False", "a lock that one thread takes twice-True",
    "a callback that does not wake the loop, which a timer wakes-False", "a limiter of one-True",
    "a lock around each use, on trio-False", "threads that call back into trio-False", why="half a second each",
)  # fmt: skip
@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_is_not_accused(name: str, every: bool, tmp_path: Path, monkeypatch: Patch) -> None:
    options: dict[str, Any] = {"every": True, "runs": 100} if every else {"runs": 60}
    found = explore(program(name, RIGHT[name], tmp_path, monkeypatch), runtime=runtime_of(RIGHT[name]), **options)
    assert found.failure is None, found.report()
    assert found.threaded
    assert "threads take turns" in found.report()


if __name__ == "__main__":
    with TemporaryDirectory() as made, pytest.MonkeyPatch.context() as patch:
        DIGESTS.write_text(json.dumps(digests(Path(made), patch), indent=1) + "\n", encoding="utf-8")
