"""Bugs of released libraries that a search with injected cancels finds, each with a program that shows it.

A program is written as a user of the library would write it, asserts something about the user's own results, and needs
nothing of this project.  catalogue.py lists them.
"""
