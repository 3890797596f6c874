"""`python -m reviewer.handbook` writes the pages; `--check` names the stale ones.

`--portable FOLDER` writes the agent skill for other hosts than Claude Code into a folder of skills.
"""

import sys

from reviewer.handbook.pages import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
