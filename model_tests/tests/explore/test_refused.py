"""Programs that cannot be simulated: refused, and neither failures nor searches without one.

Functions that run inline, in the place of threads: each verdict counts them, and none is called exhausted.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from impl.explore import CannotExplore, Found, always, explore, sometimes
from impl.explore.parallel import explore_parallel

from ...commands import cli
from ..fixtures import Captured, Patch

pytest_plugins = "pytester"

#: The body of main, and the thing that it uses; `HERE` stands before the line.
_ROWS = {
    "HERE(await asyncio.create_subprocess_exec('true'))": "a subprocess",
    "HERE(subprocess.run(['true']))": "a subprocess",
    "HERE(os.system('true'))": "a subprocess",
    "HERE(os.fork())": "a fork",
    "HERE(os._exit(3))": "the end of this process",
    "HERE(multiprocessing.Process(target=print).start())": "a subprocess",
    "HERE(socket.socketpair())": "a real socket",
    "HERE(socket.socket(socket.AF_UNIX))": "a Unix socket",
    "HERE(await asyncio.start_unix_server(print, 'x'))": "a Unix socket",
    "HERE(await asyncio.get_running_loop().connect_read_pipe(asyncio.Protocol, 0))": "a pipe",
    "HERE(os.kill(os.getppid(), 0))": "a signal to another process",
    "HERE(signal.pthread_kill(SLOW.ident or 0, 0))": "a signal to another thread",
    "HERE(signal.raise_signal(signal.SIGSTOP))": "a signal that stops this process",
    "HERE(asyncio.new_event_loop())": "another event loop",
    "def f():\n  c = asyncio.sleep(0)\n  try: HERE(asyncio.run(c))\n  finally: c.close()\n"
    "await asyncio.to_thread(f)": "an event loop in a thread",
    "HERE(hasattr(asyncio.get_running_loop(), '_selector'))": "the selector of asyncio's own loop",
    # The error is caught, or hidden, or the program fails because of it, or later.
    "try: HERE(os.system('true'))\nexcept Exception: pass": "a subprocess",
    "async def f(): HERE(os.system('true'))\nt = asyncio.create_task(f())\nawait asyncio.sleep(1)": "a subprocess",
    "async def f(): HERE(os.system('true'))\nawait asyncio.gather(f(), return_exceptions=True)": "a subprocess",
    "asyncio.get_running_loop().call_soon(lambda: HERE(os.system('true')))\nawait asyncio.sleep(1)": "a subprocess",
    "try: HERE(os.system('true'))\nexcept Exception: await asyncio.Event().wait()": "a subprocess",
    "try: HERE(os.kill(1, signal.SIGTERM))\nexcept Exception as error: raise ValueError from error": "a signal to",
}  # fmt: skip
_HEAD = (
    "import asyncio, concurrent.futures, multiprocessing, os, queue, signal, socket, subprocess, threading, time\n"
    "HERE = lambda x: x\n"
    "DONE = queue.SimpleQueue()\n"
    "SLOW = threading.Thread(target=time.sleep, args=(1,), daemon=True)\n"
    "SLOW.start()\n"
)


def _program(folder: Path, body: str, head: str = _HEAD) -> tuple[str, int]:
    """FILE:main for a body of main, and the number of its line with HERE, from 1; without: 0."""
    text = head + "async def main():\n" + textwrap.indent(body, "    ") + "\n"
    file = folder / "program.py"
    file.write_text(text, encoding="utf-8")
    lines = text.splitlines()
    return f"{file}:main", next((n for n, line in enumerate(lines, 1) if "HERE(" in line), 0)


@pytest.mark.parametrize("body", _ROWS)
def test_a_refusal_is_no_failure(body: str, full: bool, tmp_path: Path, capsys: Captured) -> None:
    program, line = _program(tmp_path, body)
    for command in (["explore"], ["explore", "--every"], ["run"]):
        assert cli.main([*command, program]) == 2
        out, err = capsys.readouterr()
        said = rf"cannot be (explored|simulated): {_ROWS[body]}.* \(\S*program\.py, line {line}\); use "
        assert re.search(said, out + err), (command, out, err)
        assert not re.search("token|fails|no run failed|exhausted", out + err)
    file = tmp_path / "found.json"
    assert (
        cli.main(["explore", "--json", str(file), *["--jobs=1"] * (full or body.startswith("HERE(os.")), program]) == 2
    )
    found = json.loads(file.read_text(encoding="utf-8"))
    assert (found["verdict"], found["failures"], found["failure"]) == ("refused", 0, None)


def test_what_comes_after_main_is_none(tmp_path: Path, capsys: Captured) -> None:
    late = "async def f():\n  try: await asyncio.sleep(9)\n  finally: os.system('true')\nt = asyncio.create_task(f())\n"
    for body, status in ((late + "await asyncio.sleep(1)", 0), (late + "await asyncio.sleep(1)\nassert False", 1)):
        program, _ = _program(tmp_path, body)
        assert cli.main(["explore", program]) == cli.main(["run", program]) == status
        assert ("no run failed" in capsys.readouterr().out) == (status == 0)


def test_what_need_not_wait_for_a_thread_is_none(tmp_path: Path) -> None:
    body = "DONE.put(1)\nassert DONE.get() == 1\nEARLY.join()\nassert DONE.empty()"
    early = "EARLY = threading.Thread(target=print)\nEARLY.start()\nwhile EARLY.is_alive(): pass\n"
    program, _ = _program(tmp_path, body, _HEAD + early)
    assert cli.main(["explore", program]) == 0


def test_a_program_that_ends_its_process(tmp_path: Path, capsys: Captured) -> None:
    program, _ = _program(tmp_path, "os.abort()")
    assert cli.main(["explore", "--jobs=1", program]) == 2
    assert capsys.readouterr().err.endswith("process of --jobs was ended, by the program or by the system\n")


@pytest.mark.parametrize(("body", "alone"), [
    ("asyncio.get_running_loop().stop()\nawait asyncio.sleep(0)", "RuntimeError: Event loop stopped before"),
    ("loop = asyncio.get_running_loop()\nloop.call_soon(loop.stop)\nawait asyncio.sleep(1)", "RuntimeError: "),
    ("async def f(): await f()\nawait f()", "RecursionError: "),
    ("def f(n): return [f(n - 1)] if n else []\nf(800)\nassert False", "AssertionError"),
])  # fmt: skip
def test_refused_by_all_only(body: str, alone: str, tmp_path: Path, capsys: Captured) -> None:
    program, _ = _program(tmp_path, body)
    assert cli.main(["explore", program]) == 1
    assert f"main fails: {alone}" in capsys.readouterr().out
    assert cli.main(["explore", "--every", program]) == 2
    assert "cannot be explored: " in capsys.readouterr().out


async def _sometimes() -> None:
    """Of three orders one is refused, and one fails."""
    seen: list[int] = []

    async def add(n: int) -> None:
        await asyncio.sleep(0)
        seen.append(n)

    await asyncio.gather(add(0), add(1), add(2))
    if seen[0] == 1:
        sometimes(False, "never")
        try:
            subprocess.run(["true"], check=False)
        except RuntimeError:
            always(False, "it may run")
    if seen[0] == 2:  # no assert: pytest extends its text, and not in a process that is no fork of this one
        raise AssertionError("the last came first")


def _found(search: Callable[..., Found], **options: Any) -> Found:
    try:
        return search(_sometimes, **options)
    except CannotExplore as refused:
        return refused.found


def test_some_schedules_are_refused(full: bool) -> None:
    """The search ends at the first run that is refused or fails, however it is split, whatever the probes say."""
    for way in ({"every": True, "reduce": False}, {"every": True}, {"errors": "all", "seed": 1}):
        found = _found(explore, **way)
        assert (found.verdict, found.failures, found.exhausted) == ("refused", 0, False)
    verdicts = set()
    for seed in range(6) if full else (2, 3):
        options = {"seed": seed, "runs": 12, "keep_going": True}
        one, split = _found(explore, **options), _found(explore_parallel, jobs=2, batch=2, **options)
        assert (one.verdict, one.digest, one.bound) == (split.verdict, split.digest, split.bound)
        assert (one.verdict == "failed") == ("which cannot be explored: a subprocess" in one.bound)
        verdicts.add(one.verdict)
    assert verdicts == {"refused", "failed"}


_LIBRARY = """
import asyncio, socket
async def process(): await asyncio.create_subprocess_exec("true")
async def pair(): socket.socketpair()
"""


@pytest.mark.parametrize(("module", "body", "said"), [
    ("aiodata", "HERE(await aiodata.process())", r"aiodata starts a subprocess \(\S*program.py, line 4\)"),
    ("aiodata", "t = aiodata.pair()\nawait asyncio.gather(t)", r"aiodata uses a real socket \(aiodata/\S+, line 4\)"),
    ("trio", "HERE(await trio.run_process(['true']))", r"a subprocess \(\S*program.py, line 4\)"),
    ("trio", "HERE(await trio.to_thread.run_sync(lambda: trio.run(print)))", r"a run of trio in a thread \(.*line 4\)"),
    ("trio", "try: HERE(await trio.run_process(['true']))\nexcept RuntimeError: pass", "a subprocess"),
])  # fmt: skip
def test_libraries_and_trio(
    module: str, body: str, said: str, tmp_path: Path, monkeypatch: Patch,
    capsys: Captured,
) -> None:  # fmt: skip
    folder = tmp_path / "site-packages" / "aiodata"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(_LIBRARY, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder.parent))
    imports = f"import {'asyncio, ' * (module != 'trio')}{module}\n"
    program, _ = _program(tmp_path, body, f"{imports}HERE = lambda x: x\n")
    assert cli.main(["explore", program]) == cli.main(["run", program]) == 2
    assert re.match(rf"cannot be explored: {said}", capsys.readouterr().out)


def test_the_plugin_says_error_or_skip(pytester: pytest.Pytester) -> None:
    test = "@pytest.mark.explore\nasync def test_{}():\n    try: {}\n    except ZeroDivisionError: pass\n"
    server = "await asyncio.start_unix_server(print, 'x')"
    uses = {"one": "subprocess.run(['true'])", "two": server, "passes": "pass"}
    tests = "".join(map(test.format, uses, uses.values()))
    pytester.makepyfile(f"import asyncio, pytest, subprocess\n{tests}")
    plain = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-rE")
    plain.assert_outcomes(errors=2, passed=1)
    plain.stdout.fnmatch_lines(
        ["explore: cannot be explored: a subprocess (*, line 4); use *", "ERROR *::test_one - explore: *"]
    )
    skipped = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-rs", "--explore-refused=skip")
    skipped.assert_outcomes(skipped=2, passed=1)
    skipped.stdout.fnmatch_lines(["*cannot be explored: a Unix socket (*, line 8)*"])


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_refusal_of_a_late_run_leaves_the_verdict_of_the_others(tmp_path: Path, jobs: int, capsys: Captured) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import asyncio, os\n"
        "async def late():\n"
        "    await asyncio.sleep(9)\n"
        "    os.system('true')\n"
        "async def main():\n"
        "    task = asyncio.create_task(late())\n"
        "    await asyncio.sleep(1)\n",
        encoding="utf-8",
    )
    assert cli.main(["explore", f"{program}:main", "--jobs", str(jobs)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(("not exhausted (13", "not exhausted (14"))
    assert "timers varied no more once a run came to a subprocess (" in said
    assert "--late" not in said
