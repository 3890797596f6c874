; Match arms on the protocol's method: what answers tools/list without an SDK.
(match_arm
  pattern: (match_pattern (string_literal) @method (#eq? @method "\"tools/list\""))
  value: (_) @answer) @arm
