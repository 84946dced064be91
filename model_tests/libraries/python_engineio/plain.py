"""A task waits for the end of a connection, beside it or with a timeout of its own.  A message should be answered."""

import asyncio
import logging

import engineio
from aiohttp import web


async def main(gives_up: bool) -> str:
    server = engineio.AsyncServer(async_mode="aiohttp", monitor_clients=False)
    server.on("message", server.send)
    app = web.Application()
    server.attach(app)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]

    client = engineio.AsyncClient(handle_sigint=False)
    answers: asyncio.Queue[str] = asyncio.Queue()
    client.on("message", answers.put)
    await client.connect(f"http://127.0.0.1:{port}", transports=["websocket"])
    watcher = asyncio.create_task(client.wait())
    await asyncio.sleep(0.1)
    if gives_up:
        watcher.cancel()
        await asyncio.wait([watcher])
    await client.send("hello")
    await asyncio.sleep(0.4)
    shown = "the answer arrives" if not answers.empty() else f"no answer, and the client is {client.state}"
    await client.disconnect(abort=True)
    await runner.cleanup()
    return shown


def outcome(wrong: bool) -> str:
    logging.disable()
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("it waits:", outcome(False))
    print("it gives up:", outcome(True))
