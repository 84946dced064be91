"""The gate of the reduction: on random programs it must find the outcomes that every schedule together has."""
