"""A task puts an item into a closed channel, with and without room.  It should learn that the channel is closed."""

import asyncio

from aiochannel import Channel


async def main(full: bool) -> str:
    channel: Channel[int] = Channel(1 if full else 2)
    await channel.put(0)
    channel.close()
    try:
        await channel.put(1)
    except Exception as error:
        return type(error).__name__
    return "put"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("closed, with room:", outcome(False))
    print("closed and full:", outcome(True))
