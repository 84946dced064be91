"""The old place of `impl.bridges.on_asyncio.names`, for one release."""

from .on_asyncio.names import *  # noqa: F403  (whatever is there)
from .on_asyncio.names import __all__ as __all__
