"""§11 Naming conventions (NAM)."""
