"""§13 LLM compatibility (LLM)."""
