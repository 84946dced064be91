"""The web: URLs, links, HTTP without I/O, and sites as data."""
