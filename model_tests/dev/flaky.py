"""The flaky tests of examples/flaky: found by pytest with the wheel's plugin, with and without xdist, and replayed."""

import re
import shlex
from collections.abc import Callable
from subprocess import Popen
from typing import Final

#: The tests, each with a line of its error.
EXPECTED: Final = {
    "flaky/test_aiohttp_shop.py::test_the_last_ticket_is_sold_once": "assert [200, 200] == [200, 409]",
    "flaky/test_anyio_audit.py::test_login_comes_before_logout[asyncio]": "['logout', 'login'] == ['login', 'logout']",
    "flaky/test_anyio_audit.py::test_login_comes_before_logout[trio]": "['logout', 'login'] == ['login', 'logout']",
    "flaky/test_httpx_token.py::test_the_token_is_renewed_once": "assert [401, 200] == [200, 200]",
}
_REPLAY: Final = re.compile(r"(?m)^replay: pytest (.*)$")

#: Starts pytest with these arguments.
Start = Callable[..., "Popen[str]"]


class NotReplayed(Exception):
    """A flaky test was not found or not replayed; `str` is pytest's output."""


def check(pytest: Start) -> int:
    """Find each test, in one process and in two of xdist's, and replay it; returns the number of replays.

    Raises:
        NotReplayed: a run did not end as it has to.
    """
    runs = [pytest("flaky"), pytest("flaky", "-n", "2")]
    alone, distributed = (_replays(_failed(run, *EXPECTED.values())) for run in runs)
    if alone != distributed or alone.keys() != EXPECTED.keys():
        raise NotReplayed(f"the tokens of one process: {alone}\nof two: {distributed}")
    for node, again in [(node, pytest(*arguments)) for node, arguments in alone.items()]:
        output = _failed(again, EXPECTED[node])
        if _replays(output) != {node: alone[node]}:
            raise NotReplayed(output)
    return len(alone)


def _failed(process: Popen[str], *shown: str) -> str:
    """The output of tests: one of them failed, and the output contains the lines that have to be shown."""
    output, _ = process.communicate()
    if process.returncode != 1 or any(text not in output for text in shown):
        raise NotReplayed(f"exit status {process.returncode}\n{output}")
    return output


def _replays(output: str) -> dict[str, list[str]]:
    """The arguments of each line that replays a test, by the test."""
    lines = [shlex.split(line) for line in _REPLAY.findall(output)]
    return {line[0]: line for line in lines}
