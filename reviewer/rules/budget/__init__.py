"""§4 Output budget guard."""
