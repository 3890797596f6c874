; Where a transport may be wired: calls by name.
(call function: [
  (identifier) @name
  (attribute attribute: (identifier) @name)
] (#any-of? @name "run" "run_async" "run_http_async" "stdio_server" "run_stdio_async" "SseServerTransport" "sse_app" "run_sse_async" "create_sse_app" "streamable_http_app" "http_app" "run_streamable_http_async" "StreamableHTTPSessionManager")) @call
