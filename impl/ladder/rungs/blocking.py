"""Teaching code: rung 1, blocking sockets: connect, send, receive until the end, then the next page.

Teaches: the simplest program.  Its thread blocks in each line that calls the socket.
Still wrong: it fetches one page at a time.  Ten pages take ten times as long as one, and the processor is idle nearly
all of that time.  Rungs 2 and 3 block in several places at once; rung 4 tries not to block.

Against the text's sketch: `send` may accept only a part of its data, and the rest is sent in a loop (defect K6).  The
whole fetch has a deadline, so a silent or slow server cannot block it for ever (K5).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "The Traditional Approach".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...web.interpret import failure
from ...web.outcome import Outcome
from ..http import CHUNK, PATIENCE, address_of, outcome_of, request
from ..world import Socket, World

#: The time-out when no time is left, in seconds; 0 would make the socket non-blocking.
SHORTEST: Final = 1e-6


def fetch(world: World, url: str) -> Outcome:
    """Fetch one page; block until it is complete, or for PATIENCE."""
    deadline = world.time() + PATIENCE
    with world.socket() as sock:

        def patient() -> Socket:
            """The socket, with the time left as its time-out."""
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
    """Fetch the pages, one after the other."""
    return {url: fetch(world, url) for url in urls}
