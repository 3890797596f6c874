"""What several runs counted is added up, by commit and by fuzzer."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "evals" / "fuzz"))

from counting import table


def run(inputs: int, slowest: float, **faults: int) -> dict:
    tally = {"inputs": inputs, "refused": 1, "seconds": inputs / 100, "slowest": slowest, "slowest_case": 7}
    return {"fuzzers": {"rust": tally | {"peak": 50, "peak_case": 3}}, "faults": faults}


def test_runs_are_added_up(tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    first.write_text(json.dumps({"abc from 0": run(1000, 2.0, crash=1), "abc from 9": run(500, 3.0)}))
    second.write_text(json.dumps({"def from 0": run(10, 1.0, crash=2, hang=1)}))
    lines = list(table([first, second]))
    assert "| `abc` | 1,500 | 1 |" in lines
    assert "| `def` | 10 | 2 |" in lines
    assert "| all | 1,510 | 2 |" in lines
    assert "| `rust` | 1,510 | 3 | 10 | 3.0 | 50 |" in lines
    assert lines[-2:] == ["- 3 × crash", "- 1 × hang"]
