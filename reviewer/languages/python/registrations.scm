; Where tools may be declared: decorators and calls named tool, add_tool, list_tools, and Tool(...) objects.
(decorator [
  (identifier) @name
  (attribute attribute: (identifier) @name)
  (call function: (identifier) @name)
  (call function: (attribute attribute: (identifier) @name))
] (#match? @name "tool")) @site
(call function: [
  (attribute attribute: (identifier) @name)
  (identifier) @name
] (#any-of? @name "tool" "add_tool" "Tool" "FastMCP" "MCPServer" "register_tool" "register_tools")) @site
