"""Letters, from the scan to the transcript."""
