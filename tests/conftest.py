"""Makes `tests/mdtest.py` importable, whatever the working folder is."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
