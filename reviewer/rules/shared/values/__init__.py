"""What schemas let in, and whether a value fits."""
