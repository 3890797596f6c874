"""What is said about rules and types, made from them: pages, skill, API reference, JSON Schemas."""
