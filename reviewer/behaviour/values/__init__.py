"""What values and names tell by themselves, and from where functions are called."""
