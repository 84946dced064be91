"""anyio: an item that was handed to a receiver is lost with its native cancel."""
