"""Wrong implementations of asyncio's primitives: the seventh set, written from the documentation alone."""
