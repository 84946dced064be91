"""Teaching code: rung 1, blocking sockets: connect, send, receive until the end, then the next page.

What it teaches: the program is as simple as can be, and the thread that runs it waits in every line.
What is still wrong with it: one page at a time.  Ten pages take ten times as long as one, and nearly all of that time
the processor has nothing to do.  Rungs 2 and 3 wait in more places at once, rung 4 tries not to wait at all.

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "The Traditional Approach".
"""

from __future__ import annotations

from collections.abc import Sequence

from ..crawl.outcome import Outcome
from ..web.interpret import failure
from .http import CHUNK, PATIENCE, address_of, outcome_of, request
from .world import Socket, World


def fetch(world: World, url: str) -> Outcome:
    """Fetch one page; the calling thread waits until it is there, or until patience has run out."""
    with world.socket.socket() as sock:
        sock.settimeout(PATIENCE)
        try:
            sock.connect(address_of(url))
            send_all(sock, request(url))
            response = b""
            while chunk := sock.recv(CHUNK):
                response += chunk
        except OSError as error:
            return failure(error)
    return outcome_of(url, response)


def send_all(sock: Socket, data: bytes) -> None:
    """`send` may take less than it is given; the text's sketch does not look (its defect K6)."""
    while data:
        data = data[sock.send(data) :]


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, one after the other."""
    return {url: fetch(world, url) for url in urls}
