"""What words mean in the names and texts of a server's code, whatever language it is written in."""

import re

CHOOSING = re.compile(r"action|name|tool|command|operation")
"""The words in the name of what is chosen by."""

CHECKS = re.compile(r"auth|bearer|jwt|token|api_?key|oidc|credential", re.IGNORECASE)
"""The words in the names of what checks a credential."""

META_ACTIONS = frozenset({"help", "schema"})
"""The actions of every catalog, beside those of its domain."""
