"""A task with retries, of one exception or of all but one, is cancelled.  The cancel should end it."""

import asyncio

import stamina


def worth_another(error: Exception) -> bool:
    return not isinstance(error, ValueError)


async def fetch() -> str:
    await asyncio.sleep(0.2)
    return "a page"


async def main(all_but_one: bool) -> str:
    which = worth_another if all_but_one else ConnectionError
    retrying = stamina.retry(on=which, attempts=3, wait_initial=0.01, wait_jitter=0)(fetch)
    task = asyncio.create_task(retrying())
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.wait([task])
    return "cancelled" if task.cancelled() else "goes on"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("retries of one exception:", outcome(False))
    print("retries of all but one:", outcome(True))
