"""What code does with the arguments of a call."""
