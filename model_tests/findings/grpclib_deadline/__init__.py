"""grpclib: a call that ends at its deadline leaves a request to cancel in the task of its caller."""
