"""What tools take and what they give."""
