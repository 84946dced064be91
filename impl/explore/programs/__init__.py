"""The program under exploration, and how one run of it is made on impl, asyncio or trio."""
