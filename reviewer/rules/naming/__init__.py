"""§11 Naming (NAM)."""
