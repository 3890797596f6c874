mcp = "ÿ"
