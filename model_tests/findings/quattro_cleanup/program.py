"""Workers that say good-bye to a slow server, for a short time, and then close: each must close.

loopspec explore quattro_cleanup/program.py:main --cancel work
"""

import asyncio

import quattro


class Connection:
    """A connection to a server that never answers a good-bye."""

    def __init__(self) -> None:
        self.open = False

    async def say_goodbye(self) -> None:
        await asyncio.sleep(10)


async def work(connection: Connection) -> None:
    connection.open = True
    try:
        await asyncio.sleep(0.1)
    except asyncio.CancelledError:
        with quattro.move_on_after(0.05):
            await connection.say_goodbye()
        connection.open = False
        raise
    connection.open = False


async def main() -> None:
    connection = Connection()
    worker = asyncio.create_task(work(connection))
    await asyncio.wait([worker])
    # A second cancel would end the clean-up.
    assert worker.cancelling() > 1 or not connection.open, "the clean-up of a cancelled task was cut short"
