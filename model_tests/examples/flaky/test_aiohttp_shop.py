"""aiohttp with pytest-asyncio: the last ticket is sometimes sold twice, because the shop checks, waits, and sells."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio
from aiohttp import web

LEFT = web.AppKey("left", dict[str, int])


async def buy(request: web.Request) -> web.Response:
    left = request.app[LEFT]
    if left["tickets"] == 0:
        return web.Response(status=409, text="sold out")
    await asyncio.sleep(0.002)  # the payment
    left["tickets"] -= 1
    return web.Response(text="one ticket for you")


@pytest_asyncio.fixture
async def shop() -> AsyncIterator[str]:
    app = web.Application()
    app[LEFT] = {"tickets": 1}
    app.router.add_post("/tickets", buy)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "localhost", 8080).start()
    yield "http://localhost:8080/tickets"
    await runner.cleanup()


@pytest.mark.explore
@pytest.mark.asyncio
async def test_the_last_ticket_is_sold_once(shop: str) -> None:
    async def customer(after: float) -> int:
        await asyncio.sleep(after)
        async with aiohttp.ClientSession() as session, session.post(shop) as answer:
            return answer.status

    assert sorted(await asyncio.gather(customer(0), customer(0.01))) == [200, 409]
