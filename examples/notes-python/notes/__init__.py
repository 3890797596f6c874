"""Keeps notes in a folder. Written with faults, on purpose."""
