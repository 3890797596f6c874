"""§2 Field selection."""
