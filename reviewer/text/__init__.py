"""Text and numbers of reviewed code: patterns that end, numbers of any size, excerpts, TOML."""
