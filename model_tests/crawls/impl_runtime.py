"""The runtime of the reference: our crawler on our loop.

`crawl` runs it on real sockets, in real time, connecting by a `Dial`; simulated_runtime.py on the simulated network.
"""

from collections.abc import Callable

from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.fetch import Fetcher
from impl.crawl.frontier import Frontier
from impl.crawl.record import Record
from impl.net import Address, Conn, PendingRequest
from impl.net.real.loop import SocketLoop
from impl.net.real.sockets import SocketNet

from .server import TIMEOUT_S, Dial


def crawl(plan: CrawlConfig, frontier: Frontier, dial: Dial, timeout_s: float = TIMEOUT_S) -> list[Record]:
    """Pump `frontier` until nothing is left, and return the records; a try is limited to `timeout_s` seconds.

    Raises:
        DeadlockError: the crawl deadlocks.
    """
    return crawl_by(lambda loop: Fetcher(DialNet(loop, dial), loop, timeout_s=timeout_s), plan, frontier)


def crawl_by(make: Callable[[SocketLoop], Fetcher], plan: CrawlConfig, frontier: Frontier) -> list[Record]:
    """Do the same by the fetcher that `make` makes."""
    loop = SocketLoop()
    fetcher = make(loop)
    crawler = Crawler(plan, fetcher, frontier=frontier)

    async def program() -> None:
        try:
            await crawler.crawl()
        finally:
            await fetcher.aclose()

    loop.run(program())
    return crawler.records()


class DialNet(SocketNet):
    """The operating system's network with names from `dial`: the address of a name is the name, and a connect uses the
    dial.
    """

    def __init__(self, loop: SocketLoop, dial: Dial) -> None:
        super().__init__(loop, lookup=self._look_up)
        self._dial = dial

    def connect(self, address: Address, done: Callable[[Conn | OSError], None], /) -> PendingRequest:
        return super().connect(self._dial(*address), done)

    def _look_up(self, host: str) -> tuple[str, ...]:
        """Look a name up in a thread of the resolver."""
        self._dial(host, 0)  # an unknown name is unknown at every port
        return (host,)
