"""Bytes of a parked task, in a process of its own, because the caches of other runtimes would affect the count.

tracemalloc counts CPython's allocations from just before the first task is created until the last one is parked:
coroutine, task, future, and the runtime's own data about them.  The two lists that hold them are created before.  The
count repeats exactly, so one round is enough.

    python -m model_tests.assurance.bench.memory PEER TASKS     prints the bytes held, and how many tasks ran to their
    end
"""

import gc
import subprocess
import sys
import tracemalloc

from .facade import Api, Once, Peer
from .peers import peer

#: The number of tasks in a warm-up run, which triggers all lazy initialization.
_WARM_UP = 100


def parked_bytes(of: Peer, n: int) -> tuple[float, int]:
    """Return the bytes that n parked tasks hold, in a fresh process, and how many of them ended afterwards.

    Raises:
        subprocess.CalledProcessError: the process failed; its stderr is ours.
    """
    ran = subprocess.run(
        [sys.executable, "-m", __name__, of.name, str(n)], stdout=subprocess.PIPE, text=True, check=True
    )
    held, ended = ran.stdout.split()
    return float(held), int(ended)


async def park(api: Api, n: int) -> tuple[int, int]:
    """Park n tasks, each on a future of its own; return (bytes held meanwhile, tasks that then ran to their end)."""
    done = api.future()
    ended = 0

    async def parked(future: Once) -> None:
        nonlocal ended
        await future
        ended += 1
        if ended == n:
            done.set_result(None)

    futures: list[Once] = [done] * n
    tasks: list[object] = [None] * n
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for i in range(n):
        futures[i] = future = api.future()
        tasks[i] = api.spawn(parked(future))
    await api.sleep(0)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    for future in futures:
        future.set_result(None)
    await done
    return after - before, ended


def main(name: str, n: int) -> None:
    """Print the result of `park` for n tasks of the peer of this name."""
    measured = 0

    async def program(api: Api) -> int:
        nonlocal measured
        await park(api, _WARM_UP)
        measured, ended = await park(api, n)
        return ended

    ended = peer(name).fresh(program)
    print(measured, ended)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
