"""aiocache: clear() leaves the timers of the values, which delete newer ones."""
