"""uvicorn: shutdown waits for ever for a client that connected in the iteration when it began."""
