"""Tool definitions that come in otherwise than as source, read into the same facts: a file, a live server's answer."""
