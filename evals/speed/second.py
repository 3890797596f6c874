"""What a second review of unchanged files costs, by processor time, and whether it says the same to the byte.

    python evals/speed/second.py FOLDER ...

Each folder is reviewed without the cache, with an empty one, and with a full one, three times; a row has the medians.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 3


def review(folder: str, cache: str, *options: str) -> tuple[tuple[int, bytes, bytes], float]:
    """Return the exit code of a review and all that it wrote, and the seconds that the processor worked."""
    variables = {name: value for name, value in os.environ.items() if name != "MCP_REVIEW_NO_CACHE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "reviewer", folder, "--format", "json", *options]
    done = subprocess.run(command, capture_output=True, env=variables | {"MCP_REVIEW_CACHE": cache}, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (done.returncode, done.stdout, done.stderr), seconds


def measure(folder: str) -> str:
    """Return a row of the table. Raises SystemExit if one review says something else than another."""
    taken = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as cache:
            runs = [review(folder, cache, "--no-cache"), review(folder, cache), review(folder, cache)]
        if any(said != runs[0][0] for said, _ in runs):
            sys.exit(f"{folder}: the reviews differ")
        taken.append([seconds for _, seconds in runs])
    without, first, second = map(statistics.median, zip(*taken, strict=True))
    name = os.path.basename(os.path.abspath(folder))
    return f"| {name} | {without:.2f} s | {first:.2f} s | {second:.2f} s | {second / first:.2f} |"


if __name__ == "__main__":
    print("| tree | `--no-cache` | first | second | second / first |\n| --- | --- | --- | --- | --- |")
    for each in sys.argv[1:]:
        print(measure(each), flush=True)
