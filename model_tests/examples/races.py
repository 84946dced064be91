"""The classic races, as asyncio programs: each passes first in, first out, and fails under some other schedule.

Run one, or search all its schedules:

    python races.py lost_update                    passes, as nearly always
    loopspec run races.py:lost_update              passes, too
    loopspec run races.py:lost_update --order any --seed 5     fails: any ready task may run next

`two_sleeps` fails only when a timer fires late: `asyncio.sleep` promises "not before", and nothing more.  `right_lock`
and `independent` have no race.  A step that takes time (a query, a request) is `asyncio.sleep(0)`: it ends when its
task runs next.  The numbers of such steps are small, so that a search finds each race within 100 runs, and the one that
needs three ordered switches within 1,000.  The programs use asyncio's names only: a module with those names can replace
asyncio.
"""

import asyncio
import sys


async def turns(count: int) -> None:
    """Something that takes `count` iterations of the loop."""
    for _ in range(count):
        await asyncio.sleep(0)


async def lost_update() -> None:
    """Two deposits read the balance before either writes it: one of them is lost."""
    balance = 0

    async def deposit(after: int) -> None:
        nonlocal balance
        await turns(after)  # the request arrives
        seen = balance
        await asyncio.sleep(0)  # the bank is asked
        balance = seen + 10

    await asyncio.gather(deposit(after=0), deposit(after=3))
    assert balance == 20, f"the balance is {balance}"


async def two_locks() -> None:
    """Two tasks take two locks in opposite order: each holds one and waits for the other."""
    stock, till = asyncio.Lock(), asyncio.Lock()

    async def sell() -> None:
        async with stock:
            await asyncio.sleep(0)  # the article is found
            async with till:
                await asyncio.sleep(0)

    async def refund() -> None:
        await turns(3)  # the customer comes back
        async with till:
            await asyncio.sleep(0)  # the receipt is read
            async with stock:
                await asyncio.sleep(0)

    await asyncio.gather(sell(), refund())


async def swallowed_cancel() -> None:
    """A worker that is cancelled while it flushes swallows the cancellation, so the shutdown waits for ever."""

    async def work() -> None:
        await asyncio.sleep(0)  # the only item
        try:
            await asyncio.sleep(0)  # flush
        except asyncio.CancelledError:
            pass  # "a flush that fails does not matter"
        await asyncio.Event().wait()  # for the next item

    worker = asyncio.create_task(work(), name="worker")
    await turns(3)
    worker.cancel()
    await asyncio.wait([worker])


async def dead_consumer() -> None:
    """A consumer dies of a missing price before it calls task_done, so join waits for ever."""
    orders: asyncio.Queue[str] = asyncio.Queue()
    prices = {"tea": 2}
    total = 0

    async def load() -> None:
        await asyncio.sleep(0)  # the file is read
        prices["milk"] = 1

    async def consume() -> None:
        nonlocal total
        while True:
            order = await orders.get()
            await asyncio.sleep(0)  # the order is checked
            total += prices[order]
            orders.task_done()

    loader = asyncio.create_task(load(), name="loader")
    consumers = [asyncio.create_task(consume(), name=f"consumer {n}") for n in (1, 2)]
    for order in ("tea", "tea", "tea", "milk"):
        await orders.put(order)
    await orders.join()
    await loader
    for consumer in consumers:
        consumer.cancel()
    assert total == 7, f"the total is {total}"


async def item_lost() -> None:
    """A getter is cancelled between getting an item and storing it: the item is lost."""
    jobs: asyncio.Queue[int] = asyncio.Queue()
    stored: list[int] = []

    async def get() -> None:
        while True:
            job = await jobs.get()
            await asyncio.sleep(0)  # the job is written to the database
            stored.append(job)

    async def stop() -> None:
        await turns(4)
        getter.cancel()

    getter = asyncio.create_task(get(), name="getter")
    canceller = asyncio.create_task(stop(), name="canceller")
    for job in range(2):
        await jobs.put(job)
        await asyncio.sleep(0)  # the next job arrives
    await canceller
    await asyncio.wait([getter])
    assert len(stored) + jobs.qsize() == 2, f"of two jobs {len(stored)} are stored and {jobs.qsize()} are left"


async def seen_set() -> None:
    """Two workers find a page unseen before either marks it as seen: it is fetched twice."""
    seen: set[str] = set()
    fetched: list[str] = []

    async def crawl(*pages: str) -> None:
        for page in pages:
            if page not in seen:
                await asyncio.sleep(0)  # robots.txt is asked
                seen.add(page)
                fetched.append(page)

    await asyncio.gather(crawl("/", "/a"), crawl("/b", "/c", "/"), crawl("/d"))
    assert len(fetched) == len(seen), f"{len(fetched)} fetches of {len(seen)} pages"


async def two_sleeps() -> None:
    """A client trusts that a server is ready after 0.1 s: late timers show that it may not be."""
    ready = False

    async def serve() -> None:
        nonlocal ready
        await asyncio.sleep(0.09)
        ready = True

    async def connect() -> None:
        await asyncio.sleep(0.1)
        assert ready, "the server is not ready"

    await asyncio.gather(serve(), connect())


async def three_switches() -> None:
    """A seat is reserved, expires, is paid for all the same, and is found paid: only in this order is it sold twice."""
    seat = "free"

    async def customer() -> None:
        nonlocal seat
        await turns(5)  # the form is filled in
        seat = "reserved"
        await asyncio.sleep(0)  # the card is charged
        if seat == "expired":
            seat = "paid late"

    async def expiry() -> None:
        nonlocal seat
        for _ in range(2):
            await asyncio.sleep(0)
            assert seat != "paid late", "the seat was sold twice"
            if seat == "reserved":
                seat = "expired"

    await asyncio.gather(customer(), expiry())


async def right_lock() -> None:
    """A lock around each update: no schedule loses one."""
    balance = 0
    lock = asyncio.Lock()

    async def deposit() -> None:
        nonlocal balance
        async with lock:
            seen = balance
            await asyncio.sleep(0)
            balance = seen + 10

    await asyncio.gather(deposit(), deposit())
    assert balance == 20, f"the balance is {balance}"


async def independent() -> None:
    """Three tasks that share nothing but the list of their results, each at a place of its own."""
    squares = [0, 0, 0]

    async def square(number: int) -> None:
        await turns(2)
        squares[number] = number * number

    await asyncio.gather(square(0), square(1), square(2))
    assert squares == [0, 1, 4]


RACES = (
    lost_update,
    two_locks,
    swallowed_cancel,
    dead_consumer,
    item_lost,
    seen_set,
    two_sleeps,
    three_switches,
)
RIGHT = (right_lock, independent)

if __name__ == "__main__":
    asyncio.run({program.__name__: program for program in RACES + RIGHT}[sys.argv[1]]())
