"""anyio's memory object stream as a queue, by the kit's profile for channels.

What differs: an item is handed to the receiver that waits; a native cancel meanwhile loses it.

What leaves that free: anyio promises delivery for its own cancel scopes only.
"""

from __future__ import annotations

from typing import Any

import anyio

from ....conformance.profiles import channels

# Any: items are anything.
Queue = channels.adapt(anyio.create_memory_object_stream[Any])["Queue"]
