; Lists of tools: rust-mcp-sdk's, that of mcp-utils, which is built on it, and mcplease's.
(macro_invocation macro: [
  (identifier) @name
  (scoped_identifier name: (identifier) @name)
] (#match? @name "^(tool_box|setup_tools|tools)$")) @macro
