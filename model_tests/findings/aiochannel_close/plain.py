"""A channel is closed twice.  The second time nothing should happen, whether or not a task waits in put()."""

import asyncio

from aiochannel import Channel


async def main(waits: bool) -> str:
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


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("no task waits in put():", outcome(False))
    print("a task waits in put():", outcome(True))
