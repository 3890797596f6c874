"""What words mean in the names and texts of a server's code, whatever language it is written in."""

import re

CHECKS = re.compile(r"auth|bearer|jwt|token|api_?key|oidc|credential", re.IGNORECASE)
"""The words in the names of what checks a credential."""
