"""Right designs of functions that wait for several things, or run them."""
