"""Prints the tools that mcpolish extracts from a folder, as JSON; runs in an environment of its own that has it."""

import json
import sys
from pathlib import Path

from mcpolish.discover.ir import build_registry

FIELDS = {"name": "name", "description": "description", "inputSchema": "input_schema", "outputSchema": "output_schema"}

registry = build_registry(Path(sys.argv[1]))
print(json.dumps({"tools": [{key: getattr(tool, name) for key, name in FIELDS.items()} for tool in registry.tools]}))
