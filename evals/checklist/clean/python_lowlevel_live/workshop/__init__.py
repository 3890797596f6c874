"""A workshop whose tools come and go."""
