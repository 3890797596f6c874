"""Shows the comment of a report as a page, for a picture: what GitHub makes of its Markdown, nearly.

mcp-review PATH --diff BASE --config-from base --format json --output report.json
PYTHONPATH=. python evals/github/picture.py report.json comment.html
chromium --headless --no-sandbox --hide-scrollbars --window-size=980,520 --screenshot=comment.png comment.html
"""

import argparse
from pathlib import Path

from markdown_it import MarkdownIt

from reviewer.github.texts import Whereabouts, format_comment
from reviewer.report.reader import read
from reviewer.rules import Severity

AT = Whereabouts(
    "https://github.com/example-org/server", "0f1e2d3c" * 5, "https://github.com/example-org/server/actions/runs/1"
)

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>comment</title>
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
body {{ font: 14px/1.5 system-ui, sans-serif; color: #1f2328; margin: 24px; }}
article {{ border: 1px solid #d1d9e0; border-radius: 6px; max-width: 900px; }}
header {{ background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; padding: 8px 16px; }}
main {{ padding: 0 16px 8px; }}
table {{ border-collapse: collapse; }} th, td {{ border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left; }}
code {{ background: #818b981f; border-radius: 6px; font-size: 85%; padding: .2em .4em; }}
a {{ color: #0969da; text-decoration: none; }} a code {{ white-space: nowrap; }} sub {{ color: #59636e; }}
details {{ margin-bottom: 16px; }}
</style>
<article><header><b>github-actions</b> bot commented</header><main>{body}</main></article></html>
"""


def page(report: Path) -> str:
    """Write the page of a report's comment."""
    body = MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(
        format_comment(read(report), "mcp-review", AT, Severity.WARNING)
    )
    return PAGE.format(body=body)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", type=Path)
    parser.add_argument("target", type=Path)
    given = parser.parse_args()
    given.target.write_text(page(given.report), "utf-8")
