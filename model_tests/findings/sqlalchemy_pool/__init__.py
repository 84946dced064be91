"""SQLAlchemy: a task that is cancelled as it connects, or fails to, wakes no task that waits for its place."""
