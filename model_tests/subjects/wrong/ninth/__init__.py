"""A ninth set of wrong implementations, written from asyncio's documentation and from mistakes of other libraries."""
