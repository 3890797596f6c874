"""§15: list changes, cancellation, progress."""
