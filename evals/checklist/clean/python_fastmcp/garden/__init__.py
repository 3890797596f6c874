"""A garden and its sensors."""
