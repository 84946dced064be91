"""Harnesses of httpx."""

import asyncio

import httpx

from ..fakes import http
from ..fakes.patience import end
from ..harness import harness_of

PORT = 8080
URL = f"http://localhost:{PORT}/"
STUCK = "a request waits for a connection, and no other uses one"


async def read(client: httpx.AsyncClient) -> str:
    async with client.stream("GET", URL) as response:
        return "".join([text async for text in response.aiter_text()])


async def glance(client: httpx.AsyncClient) -> str:
    async with client.stream("GET", URL) as response:
        async for text in response.aiter_text():
            return text
    return ""


async def check(client: httpx.AsyncClient) -> None:
    text = await read(client)
    assert text == http.BODY, f"what was read: {text}"


@harness_of(
    "httpx",
    cancel="read,glance",
    slow=True,
    finds={f"AssertionError: {STUCK}": "httpcore_pool"},
)
async def httpx_streams() -> list[str]:
    """A response that is left early, or cancelled while it is read, gives its connection back to the pool."""
    limits = httpx.Limits(max_connections=1)
    async with (
        http.serving(PORT),
        httpx.AsyncClient(limits=limits, timeout=None, trust_env=False) as client,
    ):
        tasks = []
        for way in (glance, read, glance):
            tasks.append(asyncio.create_task(way(client)))
            await end(tasks[-1], STUCK)
        last = asyncio.create_task(check(client))
        await end(last, STUCK)
        last.result()
    return ["cancelled" if task.cancelled() else task.result() for task in tasks]
