"""aiodataloader: each read ends, also if the function that loads a batch is cancelled in what it awaits."""

from __future__ import annotations

import asyncio

from aiodataloader import DataLoader

from ..harness import Harness


async def main() -> list[str]:
    async def fetch_users(keys: list[int]) -> list[str]:
        await asyncio.sleep(0.01)
        return [f"user {key}" for key in keys]

    users = DataLoader(fetch_users)

    async def fetch_posts(keys: list[int]) -> list[str]:
        # A post is shown with its author: one loader uses the other, as in a graph of them.
        names = await users.load_many(keys)
        return [f"post by {name}" for name in names]

    posts = DataLoader(fetch_posts)

    async def show_user(key: int) -> str:
        name: str = await users.load(key)
        return name

    async def show_post(key: int) -> str:
        post: str = await posts.load(key)
        return post

    asked = [asyncio.create_task(show(key)) for show, key in ((show_user, 1), (show_post, 1), (show_post, 2))]
    await asyncio.wait(asked)
    return ["cancelled" if task.cancelled() else task.result() for task in asked]


HARNESS = Harness(
    "aiodataloader",
    main,
    cancel="show_user",
    finds={"Deadlock*": "aiodataloader_batch"},
)
