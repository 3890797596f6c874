"""What becomes of failures: exceptions, panics, refusals of others, and what the client and the log are told of them."""
