"""Harnesses of aiodataloader."""

import asyncio

from aiodataloader import DataLoader

from ..harness import harness_of


@harness_of(
    "aiodataloader",
    cancel="show_user",
    finds={"Deadlock*": "aiodataloader_batch"},
)
async def aiodataloader_nested() -> list[str]:
    """Each read ends, also if the function that loads a batch is cancelled in an await."""

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


@harness_of(
    "aiodataloader",
    cancel="read",
    finds={
        "AssertionError: reader of * was not cancelled, and ends so": "aiodataloader_cache",
        "AssertionError: a later reader of * is cancelled": "aiodataloader_cache",
    },
)
async def aiodataloader_readers() -> list[int]:
    """A reader that is not cancelled gets its value, and so does a later one, when others are cancelled."""
    batches: list[list[int]] = []

    async def fetch(keys: list[int]) -> list[int]:
        batches.append(keys)
        await asyncio.sleep(0.01)
        return [10 * key for key in keys]

    loader = DataLoader(fetch, max_batch_size=2)

    async def read(key: int) -> int:
        value: int = await loader.load(key)
        return value

    keys = (1, 1, 2, 3)
    readers = [asyncio.create_task(read(key)) for key in keys]
    await asyncio.wait(readers)
    for key, reader in zip(keys, readers, strict=True):
        if reader.cancelled():
            assert reader.cancelling(), f"reader of {key} was not cancelled, and ends so"
        else:
            assert reader.result() == 10 * key
    assert all(len(batch) <= 2 for batch in batches), f"{batches}"
    for key in (1, 2, 3):
        try:
            assert await read(key) == 10 * key
        except asyncio.CancelledError as error:
            raise AssertionError(f"a later reader of {key} is cancelled") from error
    return [len(batch) for batch in batches]
