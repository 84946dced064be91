"""A crawler on Scrapy, after its documentation: a spider, a link extractor, settings.  A peer for the bench.

    python -m model_tests.assurance.bench.scrapy_crawler URL

The scope is that of `loopspec crawl URL`: links of `a` and `area` on the host of the root, of any type of file.
Scrapy's features for politeness and for large crawls (robots.txt, cookies, retries, console) are off.
"""

import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

CONCURRENCY: Final = 10

SETTINGS: Final = {
    "CONCURRENT_REQUESTS": CONCURRENCY,
    "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
    "COOKIES_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "LOG_LEVEL": "ERROR",
    "RETRY_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "TELNETCONSOLE_ENABLED": False,
}

# `Any` in this file: Scrapy is left out of the type check.


class Pages(scrapy.Spider):
    """A spider that follows every link of the host."""

    name = "pages"

    def __init__(self, root: str, **options: Any) -> None:
        super().__init__(**options)
        self._root = root
        self.allowed_domains = [urlsplit(root).hostname]
        self._links = LinkExtractor(
            tags=("a", "area"), deny_extensions=[], process_value=lambda href: href.partition("#")[0]
        )

    async def start(self) -> AsyncIterator[Any]:
        """Request the root; the default would allow a second request."""
        yield scrapy.Request(self._root)

    def parse(self, response: Any) -> Iterator[Any]:
        """Request every link of a page."""
        if isinstance(response, scrapy.http.HtmlResponse):
            for link in self._links.extract_links(response):
                yield scrapy.Request(link.url)


if __name__ == "__main__":
    process = CrawlerProcess(SETTINGS)
    process.crawl(Pages, sys.argv[1])
    process.start()
