"""How agents reach the archive."""
