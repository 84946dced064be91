"""aiohttp: closing a session cancels, from the inside, the tasks whose requests wait for a place."""
