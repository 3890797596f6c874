; Branches on the protocol's method, by match or by if: what answers tools/list without an SDK.
(match_arm
  pattern: (match_pattern (string_literal) @method (#eq? @method "\"tools/list\""))
  value: (_) @answer) @arm
(if_expression
  condition: (binary_expression (string_literal) @method (#eq? @method "\"tools/list\""))
  consequence: (_) @answer) @arm
