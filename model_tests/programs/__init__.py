"""Programs: random asynchronous programs as data, and the runtimes that run them."""
