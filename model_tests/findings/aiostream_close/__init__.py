"""aiostream: leaving a streamer swallows a cancel that comes while its sources end."""
