"""The second axis of the mutants: the code of a fault moved to another place, its meaning kept."""
