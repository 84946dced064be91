"""A loader of posts awaits a future that a user shares with it, and the user is cancelled, or is not.

The reader of the post should get an answer: a post or an error.
"""

import asyncio

from aiodataloader import DataLoader


async def main(cancelled: bool) -> str:
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


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the user is not cancelled:", outcome(False))
    print("the user is cancelled:", outcome(True))
