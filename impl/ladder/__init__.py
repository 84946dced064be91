"""Teaching code: the ladder from blocking sockets to asyncio, one rung a file; nothing else imports it."""
