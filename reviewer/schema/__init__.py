"""Types of the reviewed source → JSON Schema, as the frameworks make it."""
