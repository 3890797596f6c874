"""What a model suggests: better descriptions, offered only if they hold."""
