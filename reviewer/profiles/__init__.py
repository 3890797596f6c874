"""The profiles: data only."""
