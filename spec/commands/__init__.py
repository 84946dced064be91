"""The commands `loopspec check`, `rules` and `render`; `target` parses their argument, `run` runs instances."""
