"""Teaching code: the ladder from blocking sockets to asyncio, one rung a file; no other package imports it."""
