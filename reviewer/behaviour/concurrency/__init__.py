"""What lasts, and what cancellation reaches: tasks, threads, processes, locks, waits without a bound."""
