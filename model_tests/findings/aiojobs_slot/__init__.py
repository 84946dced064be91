"""aiojobs: a job that was spawned while the queue was full does not start although a place is free."""
