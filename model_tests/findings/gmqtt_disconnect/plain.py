"""A client is disconnected while connected, or while it waits to reconnect.  It should not be connected afterwards."""

import asyncio
import logging

import gmqtt
from gmqtt.mqtt.constants import MQTTv311


async def main(breaks: bool) -> str:
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


def outcome(wrong: bool) -> str:
    logging.disable()
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("disconnected while it is connected:", outcome(False))
    print("disconnected while it waits to reconnect:", outcome(True))
