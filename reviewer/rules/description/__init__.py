"""§9 Tool description (four elements)."""
