"""pyrate-limiter: a caller that does not want to wait waits while another does."""
