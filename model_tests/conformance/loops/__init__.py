"""The loops on which programs are played: how each is driven, its clock, and what programs leave behind on it."""
