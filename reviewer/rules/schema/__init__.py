"""§10 Schema validation (SCH)."""
