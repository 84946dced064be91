"""tornado: a waiter that is woken and cancelled keeps the lock."""
