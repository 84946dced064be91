"""A task with retries, of one exception or of all but one, is cancelled.  The cancel should end it."""

import asyncio

from tenacity import retry, retry_if_exception_type, retry_if_not_exception_type, stop_after_attempt


async def fetch() -> str:
    await asyncio.sleep(0.2)
    return "a page"


async def main(all_but_one: bool) -> str:
    which = (
        retry_if_not_exception_type(ValueError) if all_but_one else retry_if_exception_type(ConnectionError)
    )
    retrying = retry(retry=which, stop=stop_after_attempt(3))(fetch)
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
