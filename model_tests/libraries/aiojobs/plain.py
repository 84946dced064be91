"""Cases of aiojobs: python plain.py [CASE...]"""

import asyncio
import sys

import aiojobs


async def stubborn() -> None:
    try:
        await asyncio.sleep(10)
    finally:
        await asyncio.sleep(0.1)


class Jobs:
    """How many jobs run now, and the most that ran at once."""

    now = most = 0

    async def work(self, seconds: float) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(seconds)
        finally:
            self.now -= 1


async def close(cancels: bool) -> str:
    """A task that closes a job is cancelled meanwhile.  The cancel should end the task."""
    scheduler = aiojobs.Scheduler()
    job = await scheduler.spawn(stubborn())
    await asyncio.sleep(0)

    async def closes() -> str:
        await job.close() if cancels else await asyncio.sleep(0.1)
        return "went on"

    task = asyncio.create_task(closes())
    await asyncio.sleep(0.02)
    task.cancel()
    await asyncio.wait([task])
    await scheduler.close()
    return "cancelled" if task.cancelled() else task.result()


async def error(waits: bool) -> str:
    """A job fails, and no task waits for it: none ever did, or it was cancelled.  The error should be reported."""
    reports = []

    async def fail() -> None:
        await asyncio.sleep(0.1)
        raise ValueError

    scheduler = aiojobs.Scheduler(exception_handler=lambda _, context: reports.append(context))
    job = await scheduler.spawn(fail())
    if waits:
        waiter = asyncio.create_task(job.wait())
        await asyncio.sleep(0.05)
        waiter.cancel()
    await asyncio.sleep(0.2)
    await scheduler.close()
    return f"{len(reports)} reports"


async def exit(at_the_end: bool) -> str:
    """A task that owns a scheduler is cancelled, in the block or at its end.  Its job should not run afterwards."""
    jobs = Jobs()

    async def own() -> None:
        async with aiojobs.Scheduler() as scheduler:
            await scheduler.spawn(jobs.work(0.3))
            await asyncio.sleep(0.01 if at_the_end else 10)

    owner = asyncio.create_task(own())
    await asyncio.sleep(0.1)
    owner.cancel()
    await asyncio.wait([owner])
    return f"{jobs.now} run"


async def late(waits: bool) -> str:
    """A scheduler is closed with three jobs: the third is pending, or its spawn() waits.  No job should run then."""
    jobs = Jobs()
    # With one place in the queue, the spawn() of the third job waits.
    scheduler = aiojobs.Scheduler(limit=1, pending_limit=1 if waits else 2)
    spawners = [asyncio.create_task(scheduler.spawn(jobs.work(10))) for _ in range(3)]
    await asyncio.sleep(0.01)
    await scheduler.close()
    await asyncio.wait(spawners, timeout=0.1)
    return f"{jobs.now} run after close()"


async def limit(closes: bool) -> str:
    """A scheduler with a limit of one has one running and two pending jobs; the last is closed.  One should run."""
    jobs = Jobs()
    async with aiojobs.Scheduler(limit=1) as scheduler:
        _, _, last = [await scheduler.spawn(jobs.work(0.3)) for _ in range(3)]
        await asyncio.sleep(0.02)
        if closes:
            await last.close()
        await asyncio.sleep(0.5)
    return f"{jobs.most} at once"


async def slot(waits: bool) -> str:
    """Two of four jobs end at once, under a limit of two.  The other two should run."""
    end = asyncio.Event()
    # With one place in the queue, the spawn() of the fourth job waits.
    scheduler = aiojobs.Scheduler(limit=2, pending_limit=1 if waits else 2)
    await scheduler.spawn(end.wait())
    await scheduler.spawn(end.wait())
    await scheduler.spawn(asyncio.sleep(10))
    spawner = asyncio.create_task(scheduler.spawn(asyncio.sleep(10)))
    await asyncio.sleep(0.01)
    end.set()
    await asyncio.wait([spawner])
    await asyncio.sleep(0.2)
    shown = f"{scheduler.active_count} of 2 run, {scheduler.pending_count} waits"
    await scheduler.close()
    return shown


async def stuck(closes: bool) -> str:
    """Two jobs are closed at once, the third is waited for, with limit=1 and pending_limit=1.  The third should end."""
    scheduler = aiojobs.Scheduler(limit=1, pending_limit=1)

    async def first() -> None:
        job = await scheduler.spawn(asyncio.sleep(0.05))
        await (job.close() if closes else job.wait())

    async def last() -> str:
        job = await scheduler.spawn(asyncio.sleep(0.05))
        await job.wait()
        return "ended"

    tasks = [asyncio.create_task(body()) for body in (first, first, last)]
    await asyncio.wait(tasks, timeout=1)
    shown = tasks[2].result() if tasks[2].done() else "never began"
    tasks[2].cancel()
    await asyncio.wait(tasks)
    await scheduler.close()
    return str(shown)


async def wait(times: bool) -> str:
    """A task waits for a job, with a timeout or without, and is cancelled.  The job should go on to its end."""
    ended = []

    async def work() -> None:
        try:
            await asyncio.sleep(0.3)
            ended.append("done")
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    scheduler = aiojobs.Scheduler()
    job = await scheduler.spawn(work())
    waiter = asyncio.create_task(job.wait(timeout=0.2 if times else None))
    await asyncio.sleep(0.05)
    waiter.cancel()
    await asyncio.wait([waiter])
    await asyncio.sleep(0.5)
    await scheduler.close()
    return f"the job is {ended[0]}"


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "close": (close, "cancelled in sleep()", "cancelled in close()"),
    "error": (error, "no task has waited", "a task has waited, and was cancelled"),
    "exit": (exit, "cancelled in the block", "cancelled at the end of the block"),
    "late": (late, "the third job is pending", "the spawn() of the third job waits"),
    "limit": (limit, "without close()", "with close()"),
    "slot": (slot, "the queue has room", "spawn() waits for room in the queue"),
    "stuck": (stuck, "without close()", "with close()"),
    "wait": (wait, "wait()", "wait(timeout=0.2)"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
