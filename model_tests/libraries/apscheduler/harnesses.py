"""Harnesses of apscheduler."""

import asyncio
import logging
from datetime import UTC

import apscheduler.executors.base
import apscheduler.job
import apscheduler.schedulers.base
import apscheduler.triggers.interval
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from ..fakes.determinism import follow
from ..harness import harness_of

follow(
    apscheduler.executors.base,
    apscheduler.job,
    apscheduler.schedulers.base,
    apscheduler.triggers.interval,
)

logging.getLogger("apscheduler").setLevel(logging.CRITICAL)


@harness_of("APScheduler", cancel="own")
async def apscheduler_shutdown() -> int:
    """No more instances of a job run at once than it may have, and after shutdown() none starts or runs on."""
    scheduler = AsyncIOScheduler(timezone=UTC)
    running, most, started = 0, 0, 0

    async def job() -> None:
        nonlocal running, most, started
        running += 1
        started += 1
        most = max(most, running)
        try:
            await asyncio.sleep(1.5)
        finally:
            running -= 1

    async def own() -> None:
        scheduler.add_job(job, "interval", seconds=1, max_instances=1)
        scheduler.start()
        try:
            await asyncio.sleep(3.2)
        finally:
            scheduler.shutdown()

    await asyncio.wait([asyncio.create_task(own())])
    await asyncio.sleep(0.1)
    assert not running, "a job runs after shutdown()"
    before = started
    await asyncio.sleep(3)
    assert started == before, "a job starts after shutdown()"
    assert most <= 1, f"{most} instances run at once"
    return started
