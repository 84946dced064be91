"""Programs that show where a rule ends, for its page, each with its output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: The oldest Python that this project supports.
OLDEST: Final = (3, 11)


@dataclass(frozen=True)
class Written:
    """A program, its output, and the first Python that can run it."""

    text: str
    printed: str
    since: tuple[int, int] = OLDEST


EXECUTOR: Final = Written(
    """\
import asyncio
import time

async def main():
    loop = asyncio.get_running_loop()
    loop.run_in_executor(None, save)
    asyncio.create_task(forever())
    await asyncio.sleep(0)

async def forever():
    try:
        await asyncio.Event().wait()
    finally:
        print("the task is cancelled")

def save():
    time.sleep(0.05)
    print("the thread has ended")

asyncio.run(main())
print("run returns")
""",
    "the task is cancelled\nthe thread has ended\nrun returns\n",
)

RESET: Final = Written(
    """\
import asyncio

async def main():
    barrier = asyncio.Barrier(2)

    async def wait(name):
        try:
            await barrier.wait()
            print(name, "goes on")
        except asyncio.BrokenBarrierError:
            print(name, "is sent away")

    first = asyncio.create_task(wait("first"))
    await asyncio.sleep(0)
    await barrier.reset()
    others = [asyncio.create_task(wait(name)) for name in ("second", "third")]
    print("waiting:", barrier.n_waiting)
    await asyncio.gather(first, *others)

asyncio.run(main())
""",
    "waiting: 0\nfirst is sent away\nthird goes on\nsecond goes on\n",
)

BASE_GROUP: Final = Written(
    """\
import asyncio

class Alarm(BaseException):
    pass

async def fails(error):
    raise error

async def main():
    for errors in [ValueError(1)], [ValueError(1), Alarm()]:
        try:
            async with asyncio.TaskGroup() as group:
                for error in errors:
                    group.create_task(fails(error))
        except BaseException as group:
            print(type(group).__name__, group.exceptions)

asyncio.run(main())
""",
    "ExceptionGroup (ValueError(1),)\nBaseExceptionGroup (ValueError(1), Alarm())\n",
)

PASSED: Final = Written(
    """\
import asyncio

async def main():
    done = asyncio.get_running_loop().create_future()
    done.set_result(1)
    try:
        async with asyncio.timeout(-1):
            print("a done future gives", await done)
            print("a free lock gives", await asyncio.Lock().acquire())
            await asyncio.sleep(0)
            print("never")
    except TimeoutError:
        print("sleep(0) suspends, and the deadline takes effect")

asyncio.run(main())
""",
    "a done future gives 1\na free lock gives True\nsleep(0) suspends, and the deadline takes effect\n",
)

RESOLUTION: Final = Written(
    """\
import asyncio
import time

async def main():
    loop = asyncio.get_running_loop()
    early = time.get_clock_info("monotonic").resolution
    begun = loop.time()
    print(await asyncio.sleep(0.02, "slept"), loop.time() >= begun + 0.02 - early)
    called = loop.create_future()
    loop.call_at(begun + 0.04, lambda: called.set_result(loop.time()))
    print("called", await called >= begun + 0.04 - early)

asyncio.run(main())
""",
    "slept True\ncalled True\n",
)

ANYONE: Final = Written(
    """\
import asyncio

async def main():
    queue = asyncio.Queue()
    queue.put_nowait("not got by anyone")
    queue.task_done()
    await queue.join()
    print("join returns, with", queue.qsize(), "item in the queue")
    try:
        queue.task_done()
    except ValueError as error:
        print("ValueError:", error)

asyncio.run(main())
""",
    "join returns, with 1 item in the queue\nValueError: task_done() called too many times\n",
)

CLOSED: Final = Written(
    """\
import asyncio

loop = asyncio.new_event_loop()
loop.call_soon_threadsafe(print, "before the loop runs")
loop.call_soon_threadsafe(loop.stop)
loop.run_forever()
loop.close()
try:
    loop.call_soon_threadsafe(print, "never")
except RuntimeError as error:
    print("RuntimeError:", error)
""",
    "before the loop runs\nRuntimeError: Event loop is closed\n",
)

BEGUN: Final = Written(
    """\
import asyncio

async def work():
    print("begins")
    await asyncio.sleep(0)

async def main():
    before, after = asyncio.create_task(work()), asyncio.create_task(work())
    before.cancel()
    await asyncio.sleep(0)
    after.cancel()
    await asyncio.wait([before, after])
    print(before.cancelled(), after.cancelled())

asyncio.run(main())
""",
    "begins\nTrue True\n",
)

AT_ITS_END: Final = Written(
    """\
import asyncio

async def fails():
    try:
        await asyncio.sleep(0)
    finally:
        raise ValueError

async def main():
    me = asyncio.current_task()
    for error in None, KeyError:
        try:
            async with asyncio.TaskGroup() as group:
                failed = group.create_task(fails())
                failed.add_done_callback(lambda _: print("requests:", me.cancelling()))
                await asyncio.sleep(0)
                if error:
                    raise error
                await asyncio.sleep(1)
        except* (ValueError, KeyError) as errors:
            print("failures:", len(errors.exceptions))

asyncio.run(main())
""",
    "requests: 1\nfailures: 1\nrequests: 0\nfailures: 2\n",
)

EDGES: Final = {
    "BARRIER-2": RESET,
    "GROUP-2": BASE_GROUP,
    "LOOP-2": RESOLUTION,
    "LOOP-4": CLOSED,
    "LOOP-17": RESOLUTION,
    "QUEUE-8": ANYONE,
    "QUEUE-20": ANYONE,
    "RUN-1": EXECUTOR,
    "SCOPE-26": AT_ITS_END,
    "SLEEP-1": RESOLUTION,
    "START-9": BEGUN,
    "TIMEOUT-5": PASSED,
}
