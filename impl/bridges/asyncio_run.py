"""The old place of `impl.bridges.asyncio.run`, for one release."""

from .asyncio.run import Network, run, simulate

__all__ = ["Network", "run", "simulate"]
