"""Cases of gmqtt: python plain.py [CASE...]"""

import asyncio
import logging
import sys

import gmqtt
from gmqtt.mqtt.constants import MQTTv311


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Accept a client, and read its data until it leaves."""
    try:
        await reader.read(1)
        writer.write(b"\x20\x02\x00\x00")
        await reader.read()
    except OSError:
        pass
    finally:
        writer.close()


async def closed(cancels: bool) -> str:
    """A task disconnects a client, and is cancelled or not; then main does.  The call of main should return."""
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


async def disconnect(breaks: bool) -> str:
    """A client is disconnected while connected, or while it waits to reconnect.  It should stay disconnected."""
    connections = 0
    still_open = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections, still_open
        connections += 1
        still_open += 1
        try:
            await reader.read(1)
            writer.write(b"\x20\x02\x00\x00")
            if not breaks or connections > 1:
                await reader.read()
        except OSError:
            pass
        finally:
            still_open -= 1
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    client = gmqtt.Client("user")
    client.set_config({"reconnect_retries": 3, "reconnect_delay": 0.4})
    await client.connect("127.0.0.1", server.sockets[0].getsockname()[1], keepalive=0, version=MQTTv311)
    await asyncio.sleep(0.2)
    await client.disconnect()
    await asyncio.sleep(0.6)
    shown = "connected after disconnect()" if still_open else "not connected"
    await client.disconnect()
    server.close()
    return shown


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "closed": (closed, "the first call is not cancelled", "the first call is cancelled"),
    "disconnect": (
        disconnect,
        "disconnected while it is connected",
        "disconnected while it waits to reconnect",
    ),
}


def outcome(case: str, wrong: bool) -> str:
    logging.disable()
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
