"""Tests of what a crawl writes: the journal, resuming, exit statuses; kills at any moment."""
