"""BARRIER-3: after abort() the barrier can be used again."""

from __future__ import annotations

import asyncio

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Barrier(asyncio.Barrier):
    async def abort(self) -> None:
        await self.reset()
