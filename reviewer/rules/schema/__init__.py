"""§10 Schema validity (SCH)."""
