"""The project around the tools: its items, what names mean, which files are compiled, where processes begin."""
