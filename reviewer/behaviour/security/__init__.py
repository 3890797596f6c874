"""What is made sure of before something is done, and what gets out that should not."""
