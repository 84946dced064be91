"""nats-py: after a close() that is cancelled the connection stays open for ever."""
