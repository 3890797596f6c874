"""Schemas of TypeScript's libraries → JSON Schema, as each makes it."""
