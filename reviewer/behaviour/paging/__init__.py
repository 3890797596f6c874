"""Pages of lists: limits, cursors, totals, and loops over all of them."""
