"""Parts of reading TypeScript."""
