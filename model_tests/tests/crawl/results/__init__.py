"""Tests of the files of a crawl: the journal, resuming, exit statuses; kills at any moment."""
