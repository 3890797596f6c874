; rust-mcp-sdk's lists of tools.
(macro_invocation macro: [
  (identifier) @name
  (scoped_identifier name: (identifier) @name)
] (#eq? @name "tool_box")) @macro
