"""redis: an acquire() that is cancelled leaves its lock locked for ever."""
