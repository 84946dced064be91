"""The same crawl on several runtimes, the sites for it, and the oracle that says what it must find."""
