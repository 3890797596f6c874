"""§12 Security constraints (SEC)."""
