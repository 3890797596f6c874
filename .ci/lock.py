"""Writes what the action installs: every package with its version and the hashes of its files, for all platforms and Pythons.

    python .ci/lock.py              # needs uv (`pip install uv`) and the package index
    python .ci/lock.py --check      # exit code 1 if a lock is older than pyproject.toml

`locks/review.txt` is for a review that posts on GitHub, `locks/judge.txt` for one with a judge.
"""

import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXTRAS = {"review": ("github",), "judge": ("github", "judge")}
OLDEST = "3.11"


def asked(extras: tuple[str, ...]) -> list[str]:
    """Return the requirements of the package with some of its extras, sorted."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project["optional-dependencies"]
    return sorted({*project["dependencies"], *(each for extra in extras for each in optional[extra])})


def head(extras: tuple[str, ...]) -> str:
    """Return the first lines of a lock, which tell what it was made for."""
    digest = sha256("\n".join(asked(extras)).encode()).hexdigest()
    return f"# Written by .ci/lock.py, again whenever the requirements in pyproject.toml change.\n# requirements: {digest}\n"


def file(name: str) -> Path:
    """Return where a lock lies."""
    return ROOT / "locks" / f"{name}.txt"


def stale() -> list[str]:
    """Name the locks that were made for other requirements."""
    return [name for name, extras in EXTRAS.items() if not file(name).read_text("utf-8").startswith(head(extras))]


def compiled(extras: tuple[str, ...]) -> str:
    """Have uv choose the versions: wheels alone, so that nothing is built where they are installed."""
    options = ["--universal", "--python-version", OLDEST, "--generate-hashes", "--only-binary", ":all:"]
    quiet = ["--quiet", "--no-header", "--no-annotate", "--no-emit-index-url"]
    done = subprocess.run(
        ["uv", "pip", "compile", *options, *quiet, "-"],
        input="\n".join(asked(extras)),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def main() -> None:
    """Write the locks, or check them."""
    if "--check" in sys.argv[1:]:
        if stale():
            sys.exit(f"locks/ is older than pyproject.toml ({', '.join(stale())}): run python .ci/lock.py")
        return
    for name, extras in EXTRAS.items():
        file(name).write_text(head(extras) + compiled(extras), "utf-8")


if __name__ == "__main__":
    main()
