"""Small servers of protocols, for the simulated network: each speaks as much as its harness needs."""
