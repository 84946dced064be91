"""Right designs of futures, tasks and loops."""
