"""Fixes: what a rule wants otherwise, which bytes that takes, whether it holds, and how files are written."""
