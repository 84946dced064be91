"""Wrong subjects of a third author: locks, queues and waits."""
