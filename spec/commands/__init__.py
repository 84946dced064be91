"""The commands `loopspec check`, `step` and `prove`, and the lists and documents of `explain`."""
