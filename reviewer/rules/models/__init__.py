"""§16: what tools take and give."""
