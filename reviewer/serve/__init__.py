"""The server mode: the review as tools of an MCP server, over stdio and Streamable HTTP. Built to our own rules."""
