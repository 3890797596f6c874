"""What expressions come to before any run: constants, JSON, maps that statements fill."""
