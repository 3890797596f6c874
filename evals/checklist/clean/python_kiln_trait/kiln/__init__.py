"""Firing plans of a kiln."""
