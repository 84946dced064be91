"""The simulated network: connections, datagrams and network conditions in virtual time."""
