"""The specification against code: state machines, directed schedules, recorded traces."""
