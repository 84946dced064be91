"""The asynchronous tests of libraries under `pytest --explore`: `make suites`, and the page SUITES.md."""
