"""The project around the tools: its modules, which of them run, where they begin."""
