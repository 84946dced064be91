"""Programs written for the pages of some rules, each with its output: no vector shows the rule.

Those of the rules of the kernel run on our own loop.
"""

from __future__ import annotations

from typing import Final

from impl.bridges.own_packages import spelled

from .edges import EDGES, Written

# --- our own loop ------------------------------------------------------------------------------------------------

ITERATIONS: Final = Written(
    spelled("""\
import impl

loop = impl.Loop()

async def main():
    loop.call_later(0, print, "timer")
    for step in range(4):
        print("step", step)
        await impl.sleep(0)

loop.run(main())
"""),
    """\
step 0
step 1
timer
step 2
step 3
""",
)

DEADLOCK: Final = Written(
    spelled("""\
import impl

async def main():
    lock = impl.Lock()
    await lock.acquire()
    await lock.acquire()

try:
    impl.run(main())
except impl.DeadlockError as error:
    for task in error.blocked:
        print(task.function, "waits for", task.method, "of", task.called)
"""),
    "main waits for Lock.acquire of lock\n",
)

LIVELOCK: Final = Written(
    spelled("""\
import impl

async def main():
    while True:
        await impl.sleep(0)

try:
    impl.Loop(turns_max=1000).run(main())
except impl.LivelockError as error:
    print(str(error).splitlines()[0])
"""),
    "1000 turns have passed while the clock stood still\n",
)

ORDER: Final = Written(
    spelled("""\
import impl

async def main(loop, seen):
    async def task(name):
        seen.append(name)

    for number in (1, 2, 3):
        loop.create_task(task(f"task {number}"))
        loop.call_soon(seen.append, f"callback {number}")
    await impl.sleep(1)

for seed in range(3):
    loop, seen = impl.Loop(impl.Choices.seeded(seed), "any"), []
    loop.run(main(loop, seen))
    print(", ".join(seen))
"""),
    """\
callback 1, task 3, task 1, callback 2, callback 3, task 2
task 1, callback 1, task 2, task 3, callback 2, callback 3
task 2, task 3, task 1, callback 1, callback 2, callback 3
""",
)


# --- asyncio -----------------------------------------------------------------------------------------------------

ITERATION: Final = Written(
    """\
import asyncio

async def main():
    loop = asyncio.get_running_loop()

    def first():
        print("first")
        loop.call_soon(print, "third, in the next iteration")

    loop.call_soon(first)
    loop.call_soon(print, "second")
    await asyncio.sleep(0.01)

asyncio.run(main())
""",
    "first\nsecond\nthird, in the next iteration\n",
)

THREAD: Final = Written(
    """\
import asyncio
import threading

async def main():
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def other():
        loop.call_soon_threadsafe(print, "one")
        loop.call_soon_threadsafe(print, "two")
        loop.call_soon_threadsafe(done.set)

    threading.Thread(target=other).start()
    await done.wait()
    print("the loop was woken")

asyncio.run(main())
""",
    "one\ntwo\nthe loop was woken\n",
)

CANCELLED_HANDLES: Final = Written(
    """\
import asyncio

async def main():
    loop = asyncio.get_running_loop()
    ready = loop.call_soon(print, "never")
    timer = loop.call_later(0.01, print, "never")
    ready.cancel()
    timer.cancel()
    await asyncio.sleep(0.02)
    print("cancelled:", ready.cancelled(), timer.cancelled())

asyncio.run(main())
""",
    "cancelled: True True\n",
)

EAGER: Final = Written(
    """\
import asyncio

async def body():
    print("the first step")

async def main():
    asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    task = asyncio.create_task(body())
    print("created; done:", task.done())

asyncio.run(main())
""",
    "the first step\ncreated; done: True\n",
    (3, 12),
)

WITHDRAWN: Final = Written(
    """\
import asyncio

async def main():
    task = asyncio.current_task()
    task.cancel()
    print("requests left:", task.uncancel())
    await asyncio.sleep(0)
    print("not cancelled")

asyncio.run(main())
""",
    "requests left: 0\nnot cancelled\n",
    (3, 13),
)

#: On our own loop.
KERNEL: Final = {"KERNEL-1": ITERATIONS, "KERNEL-2": DEADLOCK, "KERNEL-3": LIVELOCK, "ORDER-1": ORDER}
WRITTEN: Final = {
    **EDGES,
    **KERNEL,
    "LOOP-5": CANCELLED_HANDLES,
    "LOOP-6": ITERATION,
    "LOOP-7": ITERATION,
    "START-8": EAGER,
    "SCOPE-7": WITHDRAWN,
}
