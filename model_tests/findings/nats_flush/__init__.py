"""nats-py: after a flush() that is cancelled or too late the client receives nothing more."""
