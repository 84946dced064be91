"""A client gets everything from a host where one connection in three is refused or reset: it retries with a growing
delay.

Run it:

    python httpx_retries.py [SEED]
"""

import asyncio
import sys

import httpx

from impl.bridges.asyncio.run import Network, run
from impl.net import Fault, NetworkConditions

STORMY = Network(
    NetworkConditions(latency_ms_max=50, segments_max=4, faults=(Fault.REFUSED, Fault.RESET), fault_one_in=3)
)
TRIES = 8


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        request = await reader.readuntil(b"\r\n\r\n")
        page = b"this is " + request.split()[1]
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(page), page))
        await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass  # the client will retry
    finally:
        writer.close()


async def get(client: httpx.AsyncClient, url: str) -> httpx.Response:
    """Get a page; try again after 0.1 s, 0.2 s, 0.4 s ..."""
    for number in range(TRIES):
        try:
            return await client.get(url)
        except httpx.TransportError as error:
            print(f"{asyncio.get_running_loop().time():.3f} s  {url}  {type(error).__name__}")
            await asyncio.sleep(0.1 * 2**number)
    return await client.get(url)


async def main() -> list[str]:
    async with await asyncio.start_server(serve, "flaky", 80), httpx.AsyncClient() as client:
        pages = await asyncio.gather(*(get(client, f"http://flaky/{number}") for number in range(10)))
    return [page.text for page in pages]


if __name__ == "__main__":
    print(run(main, seed=int(sys.argv[1]) if sys.argv[1:] else 0, network=STORMY))
