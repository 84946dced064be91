"""An idiomatic crawler on aiohttp: workers, a queue, a set of the URLs seen.  A peer for the bench.

    python -m model_tests.assurance.bench.aiohttp_crawler URL

The scope is that of `loopspec crawl URL`: links of `a` and `area` on the origin of the root, fragments off, every URL
once, redirects followed by hand as new URLs.  It prints how many URLs it requested.
"""

import asyncio
import sys
from typing import Final
from urllib.parse import urldefrag, urljoin, urlsplit

import aiohttp
from selectolax.lexbor import LexborHTMLParser

WORKERS: Final = 10


class AiohttpCrawl:
    """One crawl of the origin of `root`."""

    def __init__(self, root: str) -> None:
        self._origin = urlsplit(root)[:2]
        self._seen: set[str] = set()
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._offer(urldefrag(root).url)

    async def run(self) -> int:
        """Crawl; return how many URLs were requested."""
        connector = aiohttp.TCPConnector(limit=WORKERS)
        async with aiohttp.ClientSession(connector=connector) as session, asyncio.TaskGroup() as group:
            workers = [group.create_task(self._work(session)) for _ in range(WORKERS)]
            await self._queue.join()
            for worker in workers:
                worker.cancel()
        return len(self._seen)

    async def _work(self, session: aiohttp.ClientSession) -> None:
        while True:
            url = await self._queue.get()
            for found in await _links(session, url):
                self._offer(found)
            self._queue.task_done()

    def _offer(self, url: str) -> None:
        if urlsplit(url)[:2] == self._origin and url not in self._seen:
            self._seen.add(url)
            self._queue.put_nowait(url)


async def _links(session: aiohttp.ClientSession, url: str) -> list[str]:
    async with session.get(url, allow_redirects=False) as response:
        if response.status in (301, 302, 303, 307, 308):
            return [urldefrag(urljoin(url, response.headers["Location"])).url]
        if response.status != 200 or response.content_type != "text/html":
            await response.read()
            return []
        parsed = LexborHTMLParser(await response.read())
    base = parsed.css_first("base[href]")
    start = urljoin(url, (base.attributes["href"] or "") if base else "")
    # Many links of a page differ in their fragments only; urljoin is the greatest cost here.
    hrefs = {(link.attributes["href"] or "").partition("#")[0]: None for link in parsed.css("a[href], area[href]")}
    return [urljoin(start, href) for href in hrefs]


if __name__ == "__main__":
    print(asyncio.run(AiohttpCrawl(sys.argv[1]).run()))
