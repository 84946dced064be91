"""nats-py: a call of next_msg() that is cancelled may lose a message."""
