; Where tools may be declared: decorators named after tools, calls that add or register tools, servers and Tool(...) objects.
(decorator [
  (identifier) @name
  (attribute attribute: (identifier) @name)
  (call function: (identifier) @name)
  (call function: (attribute attribute: (identifier) @name))
] (#match? @name "tool")) @site
(call function: [
  (attribute attribute: (identifier) @name)
  (identifier) @name
] (#match? @name "^(tool|Tool|FastMCP|MCPServer|from_openapi|from_fastapi|as_proxy|FastApiMCP|launch|(add|register|setup|load|create|build|make|install|attach|include)(_[a-z]+)*_tools?(_[a-z]+)*)$")) @site
