"""Wrong subjects of a second author: locks, queues and waits."""
