"""§3 Smart truncation."""
