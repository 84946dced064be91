"""Right designs of locks, semaphores, events, conditions and barriers."""
