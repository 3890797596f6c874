"""What code comes to, evaluated symbolically: expressions, statements, values, and what of them only a run can tell."""
