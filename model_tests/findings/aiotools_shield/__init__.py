"""aiotools: a cancel that a ShieldScope has held back is delivered twice."""
