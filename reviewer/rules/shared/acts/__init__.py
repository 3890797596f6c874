"""What the code of tools does, as rules ask for it."""
