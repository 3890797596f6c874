"""§8 Panic isolation."""
