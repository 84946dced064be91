"""The loops on which programs are played: how each is driven, its clock, and the garbage of programs on it."""
