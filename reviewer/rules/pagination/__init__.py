"""§1 Pagination."""
