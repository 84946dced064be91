"""The same crawl on several runtimes, the sites for it, and an oracle that computes the expected result."""
