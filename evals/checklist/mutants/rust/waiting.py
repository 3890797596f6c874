"""§15 of the checklist, in Rust: what a tool that lasts says of it."""
# ruff: noqa: E501

from mutation import Mutant, harmless, mutant

LIVE = "rust_router_live"
SERVER = "src/server.rs"
PLUG = "        self.announcer.changed().await;\n"
MACHINE = "fn machine(name: &str)"
OTHERS = ("cancellation-ignored", "command-outlives-call", "panic-on-call-path")
Edits = tuple[str, str, str]


def lasting(name: str, lines: str, *more: Edits) -> Mutant:
    """The tool lasts, and neither tells how far it is nor says so."""
    return mutant("progress-not-documented", LIVE, name, (SERVER, PLUG, PLUG + lines), *more, also=OTHERS)


def quiet(name: str, lines: str, *more: Edits) -> Mutant:
    """It does not last, or says so."""
    return harmless("progress-not-documented", LIVE, name, (SERVER, PLUG, PLUG + lines), *more)


WHILE = "        while !self.shelves.is_warm().await {\n            tokio::time::sleep(Duration::from_secs(5)).await;%s\n        }\n"
FAULTS = [
    lasting("a while", WHILE % " ⚑"),
    lasting(
        "without end",
        "        loop {\n            if self.shelves.is_warm().await {\n                break;\n            }\n            tokio::time::sleep(Duration::from_secs(1)).await; ⚑\n        }\n",
    ),
    lasting(
        "so many rounds",
        "        for _ in 0..60 {\n            if self.shelves.is_warm().await {\n                break;\n            }\n            tokio::time::sleep(Duration::from_secs(2)).await; ⚑\n        }\n",
    ),
    lasting("a job", "        self.shelves.wait_for_job(&request.machines).await; ⚑\n"),
    lasting("until it is complete", "        self.shelves.wait_until_completed().await; ⚑\n"),
    lasting(
        "in a helper",
        "        warmed(&self.shelves).await;\n",
        (
            SERVER,
            MACHINE,
            "async fn warmed(shelves: &Shelves) {\n    while !shelves.is_warm().await {\n        tokio::time::sleep(Duration::from_secs(5)).await; ⚑\n    }\n}\n\n"
            + MACHINE,
        ),
    ),
    lasting(
        "a command",
        '        let _ = tokio::process::Command::new("make").arg("machines").kill_on_drop(true).status().await; ⚑\n',
    ),
]
SAID = "    /// Limitations: the new tools are listed a moment later."
ALIKE = [
    quiet(
        "it says so",
        WHILE % "",
        (SERVER, SAID, "    /// Limitations: takes up to ten minutes until the machines are warm."),
    ),
    quiet("once", "        tokio::time::sleep(Duration::from_millis(200)).await;\n"),
    quiet(
        "once more",
        "        for attempt in 0..3 {\n            if self.shelves.is_warm().await {\n                break;\n            }\n            tokio::time::sleep(Duration::from_secs(attempt)).await;\n        }\n",
    ),
]

MUTANTS = [*FAULTS, *ALIKE]
