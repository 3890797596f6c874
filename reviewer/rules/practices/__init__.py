"""§14 Best practices (BP)."""
