"""Search for schedules of a program under which it fails."""
