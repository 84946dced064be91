"""Equal runs are equal in processes with other hashes, addresses and moments of garbage collection."""
