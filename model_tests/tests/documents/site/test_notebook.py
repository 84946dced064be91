"""The notebook of the documentation has the outputs that its cells give, and calls work where a loop runs."""

from __future__ import annotations

import asyncio
import contextvars
import json
import signal
import sys
import threading
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from impl.bridges.asyncio.run import run, simulate
from impl.bridges.trio.run import run_trio
from impl.explore import Found, explore

from ....documents.site.links import Links
from ....documents.site.notebook import FILE, executed, markdown
from ...fixtures import Captured, Patch

STORED = json.loads(FILE.read_text(encoding="utf-8"))
CALLER: contextvars.ContextVar[str] = contextvars.ContextVar("CALLER", default="none")


def test_the_cells_give_the_outputs_that_are_stored() -> None:
    """If not: `make docs` writes them."""
    assert executed(STORED) == STORED


def test_another_output_is_noticed() -> None:
    changed = json.loads(FILE.read_text(encoding="utf-8").replace("(stock, 6)", "(stock, 5)"))
    assert executed(changed) != changed


@pytest.mark.skipif(not find_spec("nbclient") or not find_spec("ipykernel"), reason="nbclient is not installed")
def test_jupyter_gives_the_same() -> None:
    from nbclient import NotebookClient  # type: ignore[import-not-found,unused-ignore]
    from nbformat import from_dict  # type: ignore[import-not-found,unused-ignore]

    setup = "import sys, types, impl.explore, impl.bridges.asyncio.run as r\nm = sys.modules['loopspec'] = r\n"
    first: dict[str, Any] = {"cell_type": "code", "id": "setup", "metadata": {}, "outputs": [], "execution_count": None}
    made = from_dict({**STORED, "cells": [{**first, "source": f"{setup}m.explore = impl.explore.explore"}]})
    made.cells += [from_dict({**cell, "source": "".join(cell["source"])}) for cell in STORED["cells"]]
    NotebookClient(made, timeout=100).execute()
    report = next("".join(each.text) for cell in made.cells for each in cell.get("outputs", ()) if "text" in each)
    assert report.startswith("main fails: AssertionError: {'tea': -3}")


def test_the_report_names_the_lines_of_the_cells() -> None:
    outputs = [output for cell in STORED["cells"] for output in cell.get("outputs", ())]
    report = "".join(next(output["text"] for output in outputs if "text" in output))
    assert '  File "Cell In[2]", line 7, in main' in report
    assert "Cell In[1]:9 writes stock['tea']" in report
    assert "the run's output:\n  7 sold, 3 left" in report
    picture = "".join(next(output["data"]["text/html"] for output in outputs if "data" in output))
    assert picture.startswith("<iframe srcdoc=")
    assert "await asyncio.gather(first, second)" in picture  # the line of a cell, which is in no file


def test_the_page_of_the_site_shows_pictures_and_texts() -> None:
    text = markdown(FILE.read_text(encoding="utf-8"))
    page = Links({}, ["TASK-3"], [], {}).markdown(f"{text}\nTASK-3\n", "notebook.md")
    assert page.startswith("# In a notebook\n")
    assert page.count("<iframe") == 2
    assert "```text\nmain fails:" in page
    assert page.count("](") == 1  # a picture names rules, too


# --- where a loop runs ------------------------------------------------------------------------------------------------


def beside_a_loop(call: Callable[[], object]) -> Any:
    async def main() -> object:
        return call()

    return asyncio.run(main())


async def fails() -> None:
    print("the program")
    raise ValueError(CALLER.get())


def test_the_program_sees_the_context_of_the_caller_and_the_search_drops_its_output(capsys: Captured) -> None:
    def call() -> Found:
        CALLER.set("the caller")
        found = explore(fails, progress=lambda found: print("progress"))
        assert found.report().endswith("\nthe run's output:\n  the program")
        return found

    found = beside_a_loop(call)
    with pytest.raises(ValueError, match="late is"):
        beside_a_loop(lambda: explore(fails, late=0.0001))
    assert capsys.readouterr() == ("progress\n", "")
    assert repr(found) == "<Found failed (1 run, 1 outcome): ValueError: the caller; the seeds were 0 to 199>"
    assert found.failure.token == explore(fails).failure.token  # type: ignore[union-attr]  # it has failed


def test_a_run_shows_its_output_and_never_waits_for_the_stream(capsys: Captured, monkeypatch: Patch) -> None:
    """A notebook's stream waits in `flush` for another thread, which is outside of the simulation."""
    monkeypatch.setattr(sys.stdout, "flush", lambda: threading.Event().wait(0.01), raising=False)

    async def prints() -> str:
        print("shown", flush=True)
        return "result"

    assert beside_a_loop(lambda: run(prints)) == beside_a_loop(lambda: run_trio(prints)) == "result"
    assert capsys.readouterr().out == "shown\n" * 2


def test_a_run_shows_itself() -> None:
    async def program() -> str:
        return "<b>"

    assert "<pre>returned &#x27;&lt;b&gt;&#x27;\nvirtual time: 0.000000 s\n" in simulate(program)._repr_html_()
    assert simulate(program, trace=True)._repr_html_().startswith("<iframe")
    assert explore(program, every=True)._repr_html_().startswith("<pre>exhausted (1 run, 1 outcome): no run failed")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signal to a thread's caller")
def test_ctrl_c_ends_the_search_and_then_the_call() -> None:
    async def slow() -> None:
        while True:
            await asyncio.sleep(0)

    def call() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # as a kernel has it
        main = threading.main_thread().ident
        assert main is not None
        threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT)).start()
        explore(slow, iterations=10**9)

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        beside_a_loop(call)
    assert time.monotonic() - began < 20
    assert not any(thread.name == "loopspec" and thread.is_alive() for thread in threading.enumerate())
