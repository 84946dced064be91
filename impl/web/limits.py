"""The limits of a response: how much a peer may send, and how much a page may hold.

Each is a bound on bytes or characters, so whether a response is within them does not depend on time, and the crawl's
result stays a function of the site.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one response; a response beyond one is "too-large", if nothing else is said.

    header_bytes: a header block, with status line and blank line, and with the informational responses before it.
    Precedents: node 16 KiB, Apache and tomcat 8 KiB (a line, a block), nginx 4 buffers of 8 KiB, h11 16 KiB.
    body_bytes: a body as it is sent, and again after content decoding.  Precedents: Scrapy warns at 32 MiB and gives
    up at 1 GiB; Nutch keeps 1 MiB.
    framing_bytes: the size lines and trailers of a chunked body: 32 MiB in chunks of 1 KiB, or 50,000 of one byte, as
    each chunk costs as much.
    ratio: bytes after content decoding for each byte sent, beyond the first MiB; gzip can reach 1032.
    token_chars: a tag, a comment, a script or a text in HTML.
    links: different hrefs of a page, but for fragments; and resources, where they are checked.
    anchors: those of a page, and again references with different fragments, where fragments are checked.
    url_chars: a URL; a longer href or Location means no URL.  Precedents: Scrapy 2083, RFC 9110 (4.1) asks for 8000.
    """

    header_bytes: int = 16 * 1024
    body_bytes: int = 32 * 1024 * 1024
    framing_bytes: int = 256 * 1024
    ratio: int = 250
    token_chars: int = 4 * 1024 * 1024
    links: int = 20_000
    anchors: int = 100_000
    url_chars: int = 2083


LIMITS: Final = Limits()
