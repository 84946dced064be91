"""Long pages are read in a second process, too, where it is sooner: with the same result, whatever becomes of it."""

import errno
import json
import multiprocessing
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from impl import create_task, gather, sleep
from impl.crawl.commands import crawl as command
from impl.crawl.fetch import Reader
from impl.crawl.second_reader import LONG, LONGEST, MOST, SecondReader
from impl.net.real.loop import SocketLoop
from impl.web.http import Response
from impl.web.outcome import Outcome, Page

from ..crawls import bad_servers
from ..crawls.bad_servers import BadServer, sends
from ..net.helpers import no_descriptor_more

URL = "http://a.test/"


@dataclass(frozen=True, slots=True)
class Counting(Reader):
    read: list[int] = field(default_factory=list)

    async def __call__(self, url: str, response: Response) -> Outcome:
        self.read.append(len(response.body))
        return await Reader(self.limits, self.obeys, self.check)(url, response)


def page(size: int) -> Response:
    links = b"".join(b"<a href=%d>x</a>" % number for number in range(500))
    html = (links + b"<b>" * size)[:size]
    return Response(200, ((b"content-type", b"text/html"),), html)


@pytest.fixture
def here() -> Counting:
    return Counting()


@pytest.fixture
def start(full: bool) -> str:
    """The command's way to start the process; in the short form the way that takes the least time."""
    return "spawn" if full or "fork" not in multiprocessing.get_all_start_methods() else "fork"


def run(here: Counting, program: Callable[[SecondReader], Coroutine[None, None, None]], start: str = "spawn") -> None:
    """Run a program with a second reader that leaves nothing behind."""
    with closing(SocketLoop()) as loop:

        async def whole() -> None:
            with SecondReader(here, loop, start) as second:
                await program(second)

        loop.run(whole())
    assert multiprocessing.active_children() == []


async def ready(second: SecondReader) -> Outcome:
    """Read a page here, which the process cannot do at once; wait until it can, and return the outcome of the page."""
    found = await second(URL, page(LONG))
    while not second.ready:
        await sleep(0.01)
    return found


@pytest.mark.parametrize("start", sorted({*multiprocessing.get_all_start_methods()} - {"forkserver"}))
def test_a_long_page_is_read_in_the_process_when_that_is_there(here: Counting, start: str) -> None:
    async def program(second: SecondReader) -> None:
        first = await ready(second)
        assert isinstance(first, Page)
        assert len(first.links) == 500
        assert await second(URL, page(LONG)) == first
        assert here.read == [LONG]

    run(here, program, start)


@pytest.mark.parametrize("size", [LONG - 1, LONGEST + 1])
def test_a_short_page_and_a_very_long_one_are_read_here(here: Counting, start: str, size: int) -> None:
    async def program(second: SecondReader) -> None:
        await ready(second)
        await second(URL, page(size))
        assert here.read == [LONG, size]

    run(here, program, start)


def test_without_a_process_all_is_read_here(here: Counting, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(process: object) -> None:
        raise OSError(errno.EAGAIN, "no more processes")

    async def program(second: SecondReader) -> None:
        await second(URL, page(LONG))
        assert (second.ready, here.read) == (False, [LONG])

    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", refuse)
    with no_descriptor_more():
        run(here, program)


def test_what_the_process_cannot_take_at_once_is_read_here(here: Counting, start: str) -> None:
    async def program(second: SecondReader) -> None:
        first = await ready(second)
        assert await gather(*(second(URL, page(LONG)) for _ in range(MOST + 3))) == [first] * (MOST + 3)
        assert len(here.read) == 1 + 3

    run(here, program, start)


def test_when_the_process_dies_its_pages_are_read_here(here: Counting, start: str) -> None:
    async def program(second: SecondReader) -> None:
        first = await ready(second)
        (process,) = multiprocessing.active_children()
        pending = create_task(second(URL, page(LONGEST)))
        await sleep(0)
        process.kill()
        assert isinstance(await pending, Page)
        assert await second(URL, page(LONG)) == first
        assert here.read == [LONG, LONGEST, LONG]

    run(here, program, start)


def test_a_page_that_is_given_up_holds_nothing_up(here: Counting, start: str) -> None:
    async def program(second: SecondReader) -> None:
        await ready(second)
        pending = create_task(second(URL, page(LONGEST)))
        await sleep(0.05)
        pending.cancel()

    run(here, program, start)
    assert here.read == [LONG]


@pytest.fixture
def site() -> Iterator[BadServer]:
    """A root with links to 30 pages that are long, and link to missing ones."""
    pages = {}
    for number in range(30):
        html = b"<a href=/missing%d>a</a>" % (number % 3) + b"<p>text</p>" * 4000
        pages[f"p{number}"] = bad_servers.page(html)
    pages[""] = bad_servers.page(b"".join(b"<a href=/p%d>x</a>" % number for number in range(30)))
    missing = sends(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
    with BadServer(pages | {f"missing{number}": missing for number in range(3)}) as server:
        yield server


def test_a_crawl_has_the_same_result_as_in_one_process(site: BadServer, tmp_path: Path) -> None:
    rows = []
    for name, more in (("one", ["--one-process"]), ("two", [])):
        path = tmp_path / name
        options = ["--no-robots", "--exit-zero", "--max-tries=1", "--sort", f"--json={path}"]
        assert command.main([*options, *more, site.root]) == 0
        rows.append([json.loads(line) for line in path.read_text("ascii").splitlines()])
    one, two = ([{**row, "slow_ms": 0} for row in each] for each in rows)
    assert one == two
    assert len(one) == 1 + 34
