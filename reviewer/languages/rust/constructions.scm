; Calls, and macros whose tokens may hold calls: among them are those that register a tool.
(call_expression) @call
(macro_invocation macro: (identifier) @name (#match? @name "^vec$")) @macro
