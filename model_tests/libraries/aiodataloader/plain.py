"""Cases of aiodataloader: python plain.py [CASE...]"""

import asyncio
import sys

from aiodataloader import DataLoader


async def fetch(keys: list[int]) -> list[int]:
    await asyncio.sleep(0.05)
    return keys


async def batch(cancelled: bool) -> str:
    """A loader of posts awaits a future that a user shares with it, and the user is cancelled, or is not.

    The reader of the post should get an answer: a post or an error.
    """

    async def fetch_users(keys: list[int]) -> list[str]:
        await asyncio.sleep(0.1)
        return [f"user {key}" for key in keys]

    async def fetch_posts(keys: list[int]) -> list[str]:
        return [f"post by {name}" for name in await users.load_many(keys)]

    users, posts = DataLoader(fetch_users), DataLoader(fetch_posts)

    async def show_user() -> None:
        await users.load(1)

    async def show_post() -> str:
        try:
            await posts.load(1)
        except asyncio.CancelledError:
            return "cancelled"
        return "shown"

    user, post = asyncio.create_task(show_user()), asyncio.create_task(show_post())
    await asyncio.sleep(0.03)
    if cancelled:
        user.cancel()
    done, _ = await asyncio.wait([post], timeout=0.8)
    return f"the post: {post.result() if done else 'waits'}"


async def cache(cancelled: bool) -> str:
    """Two tasks read a key, and the first is cancelled, or is not.  The second, and a later one, should get a value."""
    loader = DataLoader(fetch)

    async def read() -> str:
        try:
            await loader.load(1)
        except asyncio.CancelledError:
            return "cancelled"
        return "a value"

    first, second = asyncio.create_task(read()), asyncio.create_task(read())
    await asyncio.sleep(0.01)
    if cancelled:
        first.cancel()
    return f"the other: {await second}; a later one: {await read()}"


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "batch": (batch, "the user is not cancelled", "the user is cancelled"),
    "cache": (cache, "the first is not cancelled", "the first is cancelled"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
