"""aiocache: a locked load raises KeyError if a load in another cache has the same key."""
