"""The report: its data, where it comes from, and how it is read again."""
