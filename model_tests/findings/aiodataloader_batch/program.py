"""A loader of posts uses a loader of users, which a third task uses, too: a task that shows a post must get an answer.

loopspec explore aiodataloader_batch/program.py:main --cancel show_user
"""

import asyncio

from aiodataloader import DataLoader


async def main() -> None:
    async def fetch_users(keys: list[int]) -> list[str]:
        await asyncio.sleep(0.01)
        return [f"user {key}" for key in keys]

    async def fetch_posts(keys: list[int]) -> list[str]:
        return [f"post by {name}" for name in await users.load_many(keys)]

    users, posts = DataLoader(fetch_users), DataLoader(fetch_posts)

    async def show_user(key: int) -> None:
        await users.load(key)

    async def show_post(key: int) -> None:
        await posts.load(key)

    shown = [asyncio.create_task(show_user(1)), asyncio.create_task(show_post(1))]
    await asyncio.gather(*shown, return_exceptions=True)
