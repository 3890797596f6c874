"""What is installed: mcp-review, from where, and its optional dependencies."""
