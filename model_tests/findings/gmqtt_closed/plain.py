"""A task disconnects a client, and is cancelled or not; then main does.  The call of main should return."""

import asyncio
import logging

import gmqtt
from gmqtt.mqtt.constants import MQTTv311


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Accept a client, and read what it sends until it leaves."""
    try:
        await reader.read(1)
        writer.write(b"\x20\x02\x00\x00")
        await reader.read()
    except OSError:
        pass
    finally:
        writer.close()


async def main(cancels: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    client = gmqtt.Client("user")
    await client.connect("127.0.0.1", server.sockets[0].getsockname()[1], keepalive=0, version=MQTTv311)
    first = asyncio.create_task(client.disconnect())
    await asyncio.sleep(0)
    if cancels:
        first.cancel()
    await asyncio.wait([first])
    try:
        await client.disconnect()
    except asyncio.CancelledError:
        return "CancelledError, though its task was not cancelled"
    finally:
        server.close()
    return "returns"


def outcome(wrong: bool) -> str:
    logging.disable()
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the first call is not cancelled:", outcome(False))
    print("the first call is cancelled:", outcome(True))
