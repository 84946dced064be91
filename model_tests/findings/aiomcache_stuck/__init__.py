"""aiomcache: a call that waits for a connection waits for ever after the call that has it fails."""
