"""httpcore: a request over HTTP/2 that is cancelled leaves its stream open, and a later request fails."""
