"""Programs on our own loop, for the rules of the kernel: each with what it prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Written:
    """A program, and what it prints."""

    text: str
    printed: str


ITERATIONS: Final = Written(
    """\
import impl

loop = impl.Loop()

async def main():
    loop.call_later(0, print, "timer")
    for step in range(4):
        print("step", step)
        await impl.sleep(0)

loop.run(main())
""",
    """\
step 0
step 1
timer
step 2
step 3
""",
)

DEADLOCK: Final = Written(
    """\
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
""",
    "main waits for Lock.acquire of lock\n",
)

LIVELOCK: Final = Written(
    """\
import impl

async def main():
    while True:
        await impl.sleep(0)

try:
    impl.Loop(turns_max=1000).run(main())
except impl.LivelockError as error:
    print(str(error).splitlines()[0])
""",
    "1000 turns have passed while the clock stood still\n",
)

ORDER: Final = Written(
    """\
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
""",
    """\
callback 1, task 3, task 1, callback 2, callback 3, task 2
task 1, callback 1, task 2, task 3, callback 2, callback 3
task 2, task 3, task 1, callback 1, callback 2, callback 3
""",
)

WRITTEN: Final = {"KERNEL-1": ITERATIONS, "KERNEL-2": DEADLOCK, "KERNEL-3": LIVELOCK, "ORDER-1": ORDER}
