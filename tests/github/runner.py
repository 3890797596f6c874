"""Runs the steps of a composite action as GitHub's runner does, as far as `action.yml` needs it: no containers, no other actions."""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

_EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")
_TERM = re.compile(r"'([^']*)'|(?:inputs|steps|github|runner)(?:\.[\w-]+)+")
_COMMAND = re.compile(r"^\s*::|##\[")


@dataclass
class Runner:
    """One job in `workspace`. `replaced` are the steps that are not run, with the outputs they would have."""

    action: Path
    workspace: Path
    temp: Path
    github: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    replaced: dict[str, dict[str, str]] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    log: str = ""
    summary: str = ""

    def run(self, **inputs: str) -> int:
        """Run the action, and give the exit code of the job."""
        document = yaml.safe_load(self.action.read_text())
        defaults = {name: str(each.get("default", "")) for name, each in document["inputs"].items()}
        given = {**defaults, **{name.replace("_", "-"): value for name, value in inputs.items()}}
        self.inputs = {name: self.filled(value) if name not in inputs else value for name, value in given.items()}
        for step in document["runs"]["steps"]:
            if "if" in step and not self.value(step["if"]):
                continue
            if step["id"] in self.replaced:
                self.outputs[step["id"]] = self.replaced[step["id"]]
            elif code := self.step(step):
                return code
        return 0

    def step(self, step: dict[str, Any]) -> int:
        self.outputs[step["id"]] = {}
        output, summary = self.temp / "output", self.temp / f"summary-{step['id']}"
        output.write_text("")
        summary.write_text("")
        environment = {
            **self.environment,
            **{name: self.filled(value) for name, value in step.get("env", {}).items()},
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(summary),
        }
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.filled(step.get("working-directory", str(self.workspace))),
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        self.log += done.stdout
        self.summary += summary.read_text()
        self.outputs[step["id"]] = dict(line.split("=", 1) for line in output.read_text().splitlines())
        return done.returncode

    @property
    def commands(self) -> list[str]:
        """The lines of the log that the runner takes for commands."""
        return [line for line in self.log.split("\n") if _COMMAND.search(line)]

    def filled(self, text: str) -> str:
        return _EXPRESSION.sub(lambda found: str(self.value(found[1])), str(text))

    def value(self, expression: str) -> Any:
        """Evaluate an expression of terms, `==`, `!=`, `&&` and `||`."""
        values: list[str] = []

        def named(found: re.Match[str]) -> str:
            values.append(found[1] if found[1] is not None else self.term(found[0]))
            return f" values[{len(values) - 1}] "

        code = _TERM.sub(named, expression).replace("&&", " and ").replace("||", " or ")
        return eval(code, {"values": values, "__builtins__": {}})

    def term(self, path: str) -> str:
        first, *rest = path.split(".")
        if first == "inputs":
            return self.inputs[rest[0]]
        if first == "steps":
            return self.outputs.get(rest[0], {}).get(rest[2], "")
        if first == "runner":
            return str(self.temp)
        return self.github.get(".".join(rest), "")
