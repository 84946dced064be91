"""aiotools: aclose() never returns if its caller is cancelled."""
