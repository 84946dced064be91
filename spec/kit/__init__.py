"""The kit: what a specification is made of (`core`, `map`) and the search over its reachable states (`check`)."""
