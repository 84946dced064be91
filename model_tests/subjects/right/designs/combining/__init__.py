"""Right designs of what waits for several things, or runs them."""
