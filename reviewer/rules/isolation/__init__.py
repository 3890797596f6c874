"""§8 stdio panic isolation."""
