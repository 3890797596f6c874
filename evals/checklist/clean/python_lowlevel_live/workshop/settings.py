"""How the server is configured."""

import os

ANNOUNCE = os.environ.get("WORKSHOP_ANNOUNCE", "1") != "0"
QUIET_SECONDS = float(os.environ.get("WORKSHOP_QUIET_SECONDS", "0.25"))
