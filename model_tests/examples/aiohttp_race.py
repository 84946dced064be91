"""A shop with one ticket left sometimes sells it twice: a race between two requests, reproduced by a seed.

Run it:

    loopspec run aiohttp_race.py:main              all is well
    loopspec run aiohttp_race.py:main --seed 17    sold twice; --token repeats this very run
    python aiohttp_race.py                         on real sockets
"""

import asyncio

import aiohttp
from aiohttp import web


class Shop:
    def __init__(self) -> None:
        self.left = 1

    async def buy(self, request: web.Request) -> web.Response:
        if self.left == 0:
            return web.Response(status=409, text="sold out")
        await asyncio.sleep(0.002)  # the payment takes time; meanwhile other requests arrive
        self.left -= 1
        return web.Response(text="one ticket for you")


async def buy(name: str) -> None:
    async with aiohttp.ClientSession() as session, session.post("http://localhost:8080/tickets") as answer:
        print(f"{name}: {await answer.text()}")


async def main() -> None:
    shop = Shop()
    app = web.Application()
    app.router.add_post("/tickets", shop.buy)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "localhost", 8080).start()
    try:
        await asyncio.gather(buy("ann"), buy("bob"))
        assert shop.left == 0, f"{shop.left} tickets are left"
    finally:
        await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
