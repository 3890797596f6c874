"""§9 Tool description: 4-element template."""
