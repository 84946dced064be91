"""hypercorn: shutdown never ends while a client does not read its response, whatever graceful_timeout says."""
