"""Sites, and the servers that serve them: simulated, or over real sockets; with faults of single attempts."""
