"""tornado: an item that was given to a getter is lost with its cancel."""
