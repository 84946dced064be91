"""Cases of aiochannel: python plain.py [CASE...]"""

import asyncio
import sys

from aiochannel import Channel


async def close(waits: bool) -> str:
    """A channel is closed twice.  The second time nothing should happen, whether or not a task waits in put()."""
    channel: Channel[int] = Channel(1)
    if waits:
        await channel.put(0)
    putter = asyncio.create_task(channel.put(1))
    await asyncio.sleep(0.01)
    channel.close()
    await asyncio.sleep(0.01)
    try:
        channel.close()
    except asyncio.InvalidStateError:
        shown = "InvalidStateError"
    else:
        shown = "closed"
    await asyncio.gather(putter, return_exceptions=True)
    return shown


async def full(full: bool) -> str:
    """A task puts an item into a closed channel, with and without room.  It should learn that the channel is closed."""
    channel: Channel[int] = Channel(1 if full else 2)
    await channel.put(0)
    channel.close()
    try:
        await channel.put(1)
    except Exception as error:
        return type(error).__name__
    return "put"


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "close": (close, "no task waits in put()", "a task waits in put()"),
    "full": (full, "closed, with room", "closed and full"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
