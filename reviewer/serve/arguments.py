"""What the tools take, with all that a client is told about it; and the shapes of what they answer."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from reviewer.serve.pages import MOST_ROWS

ProfileName = Literal[
    "core", "action-dispatch", "validator-46", "validator-46-strict", "object-operation", "tool-trait"
]
FindingField = Literal[
    "rule", "codes", "severity", "path", "line", "column", "end_line", "end_column", "tool", "message", "help",
    "decided_by", "quote", "judged", "cites", "status", "fingerprint",
]  # fmt: skip
ToolField = Literal[
    "name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta", "path", "line",
    "end_line", "server", "language", "conditional", "unreadable",
]  # fmt: skip
RuleField = Literal["rule", "section", "title", "severity", "codes", "profiles", "judged", "fixes", "cites"]

PathTaken = Annotated[
    str,
    Field(
        description="The folder of the server's source, a .py or .rs file, or a JSON or YAML file of tools; relative to the "
        "served folder, and in it. Format: 1 to 1024 characters, no controls.",
        min_length=1,
        max_length=1024,
        pattern=r"^[^\x00-\x1f]*$",
        examples=[".", "servers/git"],
    ),
]
ProfileArgument = Annotated[
    ProfileName | None,
    Field(
        description="The guideline to review against: core, action-dispatch, validator-46, validator-46-strict, object-operation "
        "or tool-trait. "
        "Detected if left out.",
        examples=["core"],
    ),
]
SectionNumber = Annotated[
    int | None,
    Field(description="The number of one section, as in §11: over 0, at most 17.", gt=0, le=17, examples=[11]),
]
RuleName = Annotated[
    str,
    Field(
        description="A rule by its slug or code, or a section's sign and number; 80 characters at most.",
        max_length=80,
        examples=["tool-name-style", "NAM-002", "§11"],
    ),
]
RuleFilter = Annotated[
    str | None,
    Field(
        description="Only findings of this rule, by slug or code; 80 characters at most.",
        max_length=80,
        examples=["tool-name-style", "NAM-002"],
    ),
]
SeverityArgument = Annotated[
    Literal["error", "warning", "suggestion"] | None,
    Field(description="Only findings of this severity: error, warning or suggestion.", examples=["error"]),
]
ToolName = Annotated[
    str | None,
    Field(
        description="The exact name of one tool of the server, 256 characters at most.",
        max_length=256,
        examples=["git_status"],
    ),
]
CursorArgument = Annotated[
    str | None,
    Field(
        description="`next_cursor` of the page before, with the same other arguments; the first page if left out. 256 "
        "characters at most.",
        max_length=256,
        examples=["q7Yk0vB2"],
    ),
]
FindingFields = Annotated[
    list[FindingField] | None,
    Field(
        description="The keys of a finding to return, 16 at most; all if left out.", max_length=16, examples=[["rule"]]
    ),
]
ToolFields = Annotated[
    list[ToolField] | None,
    Field(description="The keys of a tool to return, 15 at most; all if left out.", max_length=15, examples=[["name"]]),
]
RuleFields = Annotated[
    list[RuleField] | None,
    Field(description="The keys of a rule to return, 8 at most; all if left out.", max_length=8, examples=[["rule"]]),
]


def _limit(what: str) -> Any:
    # The bounds are told and not enforced: a model that asks for a million gets the largest page there is.
    told: dict[str, Any] = {"exclusiveMinimum": 0, "maximum": MOST_ROWS}
    return Field(
        description=f"How many {what} to return at most: over 0, at most 100; fewer if they are long.",
        json_schema_extra=told,
        examples=[20],
    )


FindingLimit = Annotated[int, _limit("findings")]
ToolLimit = Annotated[int, _limit("tools")]
RequestLimit = Annotated[int, _limit("requests")]
RuleLimit = Annotated[int, _limit("rules")]
Criterion = Annotated[int, Field(gt=0, le=99)]
ArgumentName = Annotated[str, Field(max_length=256)]


class VerdictGiven(BaseModel):
    """The answer to one question."""

    model_config = ConfigDict(extra="forbid")
    request: str = Field(
        description="The id of the request, 64 characters at most.", max_length=64, examples=["0f3c5a9d2e7b41866a90"]
    )
    id: str = Field(
        description="The id of the question in it, 64 characters at most.", max_length=64, examples=["q417"]
    )
    failing: list[Criterion] = Field(
        description="The numbers of the rubric's criteria that are not met, 99 at most.", max_length=99, examples=[[2]]
    )
    verdict: Literal["met", "not_met", "not_applicable"] = Field(
        description="Whether the rubric is met, not_met or not_applicable.", examples=["met"]
    )
    quote: str = Field(
        description="The words that decide, exactly as shown; may be empty; 4000 characters at most.",
        max_length=4000,
        examples=["Gets things."],
    )
    evidence: str = Field(
        "",
        description="Evidence for the verdict besides the description: a line of code, a part of the schema, exactly as shown; "
        "may be empty; 4000 characters at most.",
        max_length=4000,
        examples=['return {"commits": commits}'],
    )
    names: list[ArgumentName] = Field(
        [],
        description="The arguments that the verdict is about, 200 at most; may be empty.",
        max_length=200,
        examples=[["count"]],
    )
    why: str = Field(
        description="The reason, in a sentence of 4000 characters at most.",
        max_length=4000,
        examples=["It does not say which things."],
    )


ExportName = Annotated[
    str,
    Field(
        description="The `export` that `list-questions` gave, 64 characters at most.",
        max_length=64,
        examples=["6a9e4c2fd89fd276c001dab458c411b7"],
    ),
]
ModelName = Annotated[
    str,
    Field(
        description="The model that judged, for the record; 100 characters at most.",
        max_length=100,
        examples=["unknown"],
    ),
]
Verdicts = Annotated[
    list[VerdictGiven],
    Field(
        description="A verdict for every question of every request, markers too; 5000 at most.",
        max_length=5000,
        examples=[
            [
                {
                    "request": "0f3c5a9d2e7b41866a90",
                    "id": "q417",
                    "failing": [],
                    "verdict": "met",
                    "quote": "",
                    "evidence": "",
                    "names": [],
                    "why": "Clear.",
                }
            ]
        ],
    ),
]


class Page(TypedDict):
    """Where the rows of an answer stand in the whole."""

    total: Annotated[int, Field(description="How many there are in all.")]
    returned: Annotated[int, Field(description="How many are in this answer.")]
    next_cursor: Annotated[str | None, Field(description="Leads to the next page; null on the last.")]


class Aside(TypedDict):
    """What could not be read."""

    total: Annotated[int, Field(description="How many places there are.")]
    first: Annotated[list[dict[str, Any]], Field(description="The first of them, with path, line and reason.")]


class ReviewResult(TypedDict):
    """A report."""

    report: Annotated[
        dict[str, Any], Field(description="The report as JSON v1; its sections hold the findings of this page.")
    ]
    because: Annotated[str, Field(description="Why this profile was chosen.")]
    unreadable: Annotated[Aside, Field(description="What could not be read of the source.")]
    notes: Annotated[list[str], Field(description="What was odd about the verdicts that were given.")]
    page: Annotated[Page, Field(description="Where the findings stand among all that were asked for.")]


class Listed(TypedDict):
    """The tools of a page."""

    tools: Annotated[list[dict[str, Any]], Field(description="The tools of this page, with the keys of `fields`.")]
    unreadable: Annotated[Aside, Field(description="What could not be read of the source.")]
    page: Annotated[Page, Field(description="Where the tools stand among all.")]


class Questions(TypedDict):
    """The requests of a page."""

    export: Annotated[str, Field(description="The id that verdicts on these requests are given with.")]
    instructions: Annotated[str, Field(description="How to answer.")]
    system: Annotated[str | None, Field(description="What holds for every request; null but on the first page.")]
    reply_schema: Annotated[
        dict[str, Any] | None, Field(description="The JSON Schema of a verdict's parts; null but on the first page.")
    ]
    requests: Annotated[
        list[dict[str, Any]], Field(description="The requests of this page: id, and the text to judge.")
    ]
    unreadable: Annotated[Aside, Field(description="What could not be read of the source.")]
    page: Annotated[Page, Field(description="Where the requests stand among all.")]


class RuleList(TypedDict):
    """The rules of a page."""

    rules: Annotated[list[dict[str, Any]], Field(description="The rules of this page, with the keys of `fields`.")]
    page: Annotated[Page, Field(description="Where the rules stand among all.")]


class RulePages(TypedDict):
    """The pages of rules."""

    rules: Annotated[list[dict[str, Any]], Field(description="Slug, title, and the page in Markdown.")]
    page: Annotated[Page, Field(description="Where the rules stand among all that the name stands for.")]
