"""cashews: a lock in memory that has expired releases the lock of its successor."""
