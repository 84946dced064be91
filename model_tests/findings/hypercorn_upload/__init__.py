"""hypercorn: a connection is never closed after a response to a request whose long body was not read."""
