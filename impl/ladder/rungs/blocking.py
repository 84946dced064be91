"""Teaching code: rung 1, blocking sockets: connect, send, receive until the end, then the next page.

What it teaches: the program is as simple as can be, and the thread that runs it waits in every line.
What is still wrong with it: one page at a time.  Ten pages take ten times as long as one, and nearly all of that time
the processor has nothing to do.  Rungs 2 and 3 wait in more places at once, rung 4 tries not to wait at all.

Against the text's sketch: `send` may take less than it is given, and the rest is sent then (its defect K6); a server
that says nothing, or too little at a time, is given up (K5).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "The Traditional Approach".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...crawl.outcome import Outcome
from ...web.interpret import failure
from ..http import CHUNK, PATIENCE, address_of, outcome_of, request
from ..world.interfaces import Socket, World

#: How long to wait when there is no time left, in seconds; 0 would mean not to block.
SHORTEST: Final = 1e-6


def fetch(world: World, url: str) -> Outcome:
    """Fetch one page; the calling thread waits until it is there, or until patience has run out."""
    deadline = world.time() + PATIENCE
    with world.socket.socket() as sock:

        def patient() -> Socket:
            """The socket, which waits no longer than until the deadline."""
            sock.settimeout(max(deadline - world.time(), SHORTEST))
            return sock

        try:
            patient().connect(address_of(url))
            unsent = request(url)
            while unsent:
                unsent = unsent[patient().send(unsent) :]
            response = b""
            while chunk := patient().recv(CHUNK):
                response += chunk
        except OSError as error:
            return failure(error)
    return outcome_of(url, response)


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, one after the other."""
    return {url: fetch(world, url) for url in urls}
