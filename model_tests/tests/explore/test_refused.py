"""Programs that use what cannot be simulated: refused, and neither failures nor searches without one."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import textwrap
from pathlib import Path
from typing import Any

import pytest

from impl.bridges.asyncio.run import simulate
from impl.errors import Refusal
from impl.explore import CannotExplore, always, explore, sometimes
from impl.explore.parallel import explore_parallel

from ... import cli

pytest_plugins = "pytester"

#: The body of main, and the thing that it uses; `HERE` stands before the line.
_ROWS = {
    "HERE(await asyncio.create_subprocess_exec('true'))": "a subprocess",
    "HERE(await asyncio.create_subprocess_shell('true'))": "a subprocess",
    "HERE(subprocess.run(['true']))": "a subprocess",
    "HERE(os.system('true'))": "a subprocess",
    "HERE(os.fork())": "a fork",
    "HERE(multiprocessing.Process(target=print).start())": "a subprocess",
    "HERE(threading.Thread(target=print).start())": "a thread",
    "HERE(threading.Timer(1, print).start())": "a thread",
    "HERE(concurrent.futures.ThreadPoolExecutor().submit(print))": "a (thread|wait)",
    "HERE(socket.socketpair())": "a real socket",
    "HERE(await asyncio.start_unix_server(print, 'x'))": "a Unix socket",
    "HERE(await asyncio.open_unix_connection('x'))": "a Unix socket",
    "HERE(await asyncio.get_running_loop().connect_read_pipe(asyncio.Protocol, 0))": "a pipe",
    "HERE(asyncio.get_running_loop().add_signal_handler(2, print))": "a signal handler",
    "HERE(signal.setitimer(signal.ITIMER_REAL, 1))": "a timer of the real clock",
    "HERE(asyncio.new_event_loop())": "another event loop",
    "async def f(): return 1\nc, loop = f(), asyncio.get_running_loop()\n"
    "try: HERE(asyncio.run_coroutine_threadsafe(c, loop).result())\nfinally: c.close()": "a wait for another",
    # The error is caught, or hidden, or the program fails because of it, or later.
    "try: HERE(os.system('true'))\nexcept Exception: pass": "a subprocess",
    "try: HERE(os.system('true'))\nfinally: return 1": "a subprocess",
    "try: HERE(threading.Thread(target=print).start())\nexcept BaseException: assert False": "a thread",
    "async def f(): HERE(os.system('true'))\n"
    "t = asyncio.create_task(f())\nawait asyncio.sleep(1)": "a subprocess",
    "async def f(): HERE(os.system('true'))\n"
    "await asyncio.gather(f(), return_exceptions=True)": "a subprocess",
    "asyncio.get_running_loop().call_soon(lambda: HERE(os.system('true')))\n"
    "await asyncio.sleep(1)": "a subprocess",
    "try: HERE(os.system('true'))\nexcept Exception: await asyncio.Event().wait()": "a subprocess",
    "loop = asyncio.get_running_loop()\ntry: HERE(loop.add_signal_handler(2, print))\n"
    "except NotImplementedError as error: raise ValueError from error": "a signal handler",
}
_HEAD = (
    "import asyncio, concurrent.futures, multiprocessing, os, signal, socket, subprocess, threading\n"
    "HERE = lambda x: x\n"
)


def _program(folder: Path, body: str, head: str = _HEAD) -> tuple[str, int]:
    """FILE:main for a body of main, and the number of its line with HERE, from 1; without: 0."""
    text = head + "async def main():\n" + textwrap.indent(body, "    ") + "\n"
    file = folder / "program.py"
    file.write_text(text, encoding="utf-8")
    lines = text.splitlines()
    return f"{file}:main", next((n for n, line in enumerate(lines, 1) if "HERE(" in line), 0)


@pytest.mark.parametrize("body", _ROWS)
def test_a_refusal_is_no_failure(body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, line = _program(tmp_path, body)
    for command in (["explore"], ["explore", "--all"], ["run"]):
        assert cli.main([*command, program]) == 2
        out, err = capsys.readouterr()
        said = rf"cannot be (explored|simulated): {_ROWS[body]}.* \(\S*program\.py, line {line}\); use "
        assert re.search(said, out + err), (command, out, err)
        assert not re.search("token|fails|no run failed|exhausted", out + err)
    assert cli.main(["explore", "--json", program]) == 2
    found = json.loads(capsys.readouterr().out)
    assert (found["verdict"], found["failures"], found["failure"]) == ("refused", 0, None)


def test_a_loop_without_signals_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """asyncio's documentation tells programs to cope with NotImplementedError; what comes after main does not count."""
    cope = "try: asyncio.get_running_loop().add_signal_handler(2, print)\nexcept NotImplementedError: pass"
    late = "async def f():\n  try: await asyncio.sleep(9)\n  finally: os.system('true')\nt = asyncio.create_task(f())"
    for body in (cope, late + "\nawait asyncio.sleep(1)"):
        program, _ = _program(tmp_path, body)
        assert cli.main(["explore", program]) == cli.main(["run", program]) == 0
        assert "no run failed" in capsys.readouterr().out
    failing, _ = _program(tmp_path, cope + "\nassert False")
    assert cli.main(["explore", failing]) == cli.main(["run", failing]) == 1


async def _sometimes() -> None:
    """Of three orders one is refused, and one fails."""
    seen: list[int] = []

    async def add(n: int) -> None:
        await asyncio.sleep(0)
        seen.append(n)

    await asyncio.gather(add(0), add(1), add(2))
    if seen[0] == 1:
        subprocess.run(["true"], check=False)
    assert seen[0] != 2


def test_some_schedules_are_refused() -> None:
    """The search ends at the first run that is refused or fails, however it is split."""
    with pytest.raises(CannotExplore, match="a subprocess"):
        explore(_sometimes, every=True, reduce=True)
    with pytest.raises(CannotExplore, match="a subprocess") as raised:
        explore(_sometimes, every=True)
    found = raised.value.found
    assert (found.verdict, found.failures, found.exhausted) == ("refused", 0, False)
    verdicts = set()
    for seed in range(6):
        at: dict[str, Any] = {"seed": seed, "runs": 12, "keep_going": True}
        try:
            one = explore(_sometimes, **at)
        except CannotExplore as refused:
            one = refused.found
        try:
            split = explore_parallel(_sometimes, jobs=2, batch=2, **at)
        except CannotExplore as refused:
            split = refused.found
        assert (one.verdict, one.runs, one.digest, one.bound) == (
            split.verdict,
            split.runs,
            split.digest,
            split.bound,
        )
        verdicts.add(one.verdict)
        if one.verdict == "failed":
            assert "which cannot be explored: a subprocess" in one.report()
    assert verdicts == {"refused", "failed"}


def test_probes_and_oracles_do_not_hide_it() -> None:
    async def main() -> None:
        sometimes(False, "never")
        try:
            subprocess.run(["true"], check=False)
        except RuntimeError:
            always(False, "it may run")

    with pytest.raises(CannotExplore):
        explore(main)
    with pytest.raises(CannotExplore):
        explore(main, errors="all")
    assert isinstance(simulate(main).error, Refusal)


def test_a_library_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """
    import asyncio, socket, subprocess, threading
    def thread(): threading.Thread(target=print).start()
    async def process(): await asyncio.create_subprocess_exec("true")
    async def pair(): socket.socketpair()
    """
    folder = tmp_path / "site-packages" / "aiodata"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(textwrap.dedent(text), encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder.parent))
    head = "import asyncio, aiodata\nHERE = lambda x: x\n"
    for body, said in {
        "HERE(aiodata.thread())": r"aiodata starts a thread \(\S*program.py, line 4\)",
        "HERE(await aiodata.process())": r"aiodata starts a subprocess \(\S*program.py, line 4\)",
        "await asyncio.create_task(aiodata.pair())": r"aiodata uses a real socket \(aiodata/__init__.py, line 5\)",
    }.items():
        program, _ = _program(tmp_path, body, head)
        assert cli.main(["explore", program]) == 2
        assert re.match(
            rf"cannot be explored: {said}; give the program a stand-in for aiodata\n", capsys.readouterr().out
        )


def test_trio(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for body, said in {
        "HERE(await trio.run_process(['true']))": r"a subprocess \(\S*program.py, line 4\)",
        "HERE(await trio.to_thread.run_sync(print))": r"a thread \(\S*program.py, line 4\)",
        "try: HERE(await trio.to_thread.run_sync(print))\nexcept RuntimeError: pass": r"a thread",
    }.items():
        program, _ = _program(tmp_path, body, "import trio\nHERE = lambda x: x\n")
        assert cli.main(["explore", program]) == cli.main(["run", program]) == 2
        assert re.match(rf"cannot be explored: {said}", capsys.readouterr().out)


def test_the_plugin_says_error_or_skip(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import subprocess, pytest
        @pytest.mark.explore
        async def test_refused():
            subprocess.run(["true"])
        @pytest.mark.explore
        async def test_caught():
            try: subprocess.run(["true"])
            except Exception: pass
        @pytest.mark.explore
        async def test_passes(): pass
        """
    )
    plain = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-rE")
    plain.assert_outcomes(errors=2, passed=1)
    plain.stdout.fnmatch_lines(
        ["explore: cannot be explored: a subprocess (*, line 4); use *", "ERROR *::test_refused - explore: *"]
    )
    skipped = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-rs", "--explore-refused=skip")
    skipped.assert_outcomes(skipped=2, passed=1)
    skipped.stdout.fnmatch_lines(["*cannot be explored: a subprocess (*, line 7)*"])
