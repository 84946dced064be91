"""The processes of a crawl: Ctrl-C, which a terminal sends to them, too."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time

import pytest

from impl.crawl.workers import processes


def test_ctrl_c_is_nothing_to_a_worker_that_starts(capfd: pytest.CaptureFixture[str]) -> None:
    with processes(1) as executor:
        future = executor.submit(os.getpid)
        [worker] = multiprocessing.active_children()
        assert worker.pid is not None
        while not future.done():
            os.kill(worker.pid, signal.SIGINT)
            time.sleep(0.001)
        assert future.result() == worker.pid
    assert capfd.readouterr().err == ""
