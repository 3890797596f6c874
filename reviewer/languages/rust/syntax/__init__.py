"""What the grammar leaves open: attributes, token trees, comments, and what bytes tell before a file is parsed."""
