"""anyio: the item of a send whose scope was cancelled is received."""
