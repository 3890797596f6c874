"""What all domains share."""
