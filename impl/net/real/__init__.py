"""The operating system's network: an event loop on real sockets, name resolution, Ctrl-C."""
