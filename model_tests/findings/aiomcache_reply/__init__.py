"""aiomcache: after a call that is cancelled, the next call gets its answer."""
