"""The repository around a reviewed path, and its commits. Nothing is checked out, written, or run that it configures."""
