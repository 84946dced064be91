"""Finite models of the texts: constants, initial states, domains, symmetries."""
