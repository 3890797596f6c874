"""Annotations of Python → JSON Schema, as each release of the frameworks makes it."""
