"""The commands `loopspec check`, `rules` and `render`, a file each; all three take a `target`; `run` is the check's."""
