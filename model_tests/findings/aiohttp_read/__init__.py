"""aiohttp: closing a session leaves the task that reads a response waiting."""
