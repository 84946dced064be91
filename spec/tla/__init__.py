"""The queue and the crawl specified again in TLA+, and TLC's counts beside ours: a witness with another checker."""
