"""§5 Tool registration."""
