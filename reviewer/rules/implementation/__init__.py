"""§17: errors, panics, async code, registration of tools."""
