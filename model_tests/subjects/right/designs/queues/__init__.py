"""Right designs of queues."""
