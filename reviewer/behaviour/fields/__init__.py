"""The `fields` that a client asks for."""
