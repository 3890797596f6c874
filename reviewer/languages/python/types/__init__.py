"""What annotations and classes are: real types, rebuilt from what is written."""
