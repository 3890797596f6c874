"""§6 Transport."""
