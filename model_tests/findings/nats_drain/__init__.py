"""nats-py: drain() swallows a cancel."""
