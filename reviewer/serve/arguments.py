"""What the tools take, with all that a client is told about it; and the shapes of what they answer."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from reviewer.serve.pages import MOST_ROWS

ProfileName = Literal["core", "action-dispatch", "validator-46", "object-operation", "tool-trait"]
FindingField = Literal[
    "rule", "codes", "severity", "path", "line", "column", "end_line", "end_column", "tool", "message", "help",
    "decided_by", "quote", "cites", "status", "fingerprint",
]  # fmt: skip
ToolField = Literal[
    "name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta", "path", "line",
    "end_line", "server", "language", "conditional", "unreadable",
]  # fmt: skip
RuleField = Literal["rule", "section", "title", "severity", "codes", "profiles", "judged", "cites"]

PathTaken = Annotated[
    str,
    Field(
        description="The folder of the server's source, a .py or .rs file, or a JSON or YAML file of tools; relative to the "
        "folder that is served, inside of which it must lie.",
        min_length=1,
        max_length=1024,
        pattern=r"^[^\x00-\x1f]+$",
        examples=[".", "servers/git"],
    ),
]
Profile = Annotated[
    ProfileName | None, Field(description="The guideline to review against; detected if left out.", examples=["core"])
]
SectionNumber = Annotated[
    int | None, Field(description="The number of one section of the report, as in §11.", ge=1, le=17, examples=[11])
]
RuleName = Annotated[
    str,
    Field(
        description="A rule by its slug or code, or a section's sign and number.",
        min_length=1,
        max_length=80,
        examples=["tool-name-style", "NAM-002", "§11"],
    ),
]
SeverityName = Annotated[
    Literal["error", "warning", "suggestion"] | None,
    Field(description="Only findings of this severity.", examples=["error"]),
]
ToolName = Annotated[
    str | None,
    Field(description="The exact name of one tool of the reviewed server.", max_length=256, examples=["git_status"]),
]
Cursor = Annotated[
    str | None,
    Field(
        description="`next_cursor` of the page before; the first page if left out.", max_length=256, examples=["q7Yk…"]
    ),
]


def _limit(what: str) -> Any:
    # The bounds are told and not enforced: a model that asks for a million gets the largest page there is.
    told: dict[str, Any] = {"minimum": 1, "maximum": MOST_ROWS}
    return Field(
        description=f"How many {what} to return at most; fewer if they are long.", json_schema_extra=told, examples=[20]
    )


FindingLimit = Annotated[int, _limit("findings")]
ToolLimit = Annotated[int, _limit("tools")]
RequestLimit = Annotated[int, _limit("requests")]
RuleLimit = Annotated[int, _limit("rules")]


class VerdictGiven(BaseModel):
    """One verdict: the answer to one question."""

    model_config = ConfigDict(extra="forbid")
    id: str = Field(description="The question's id, as the request gives it.", max_length=64, examples=["q417"])
    failing: list[int] = Field(
        description="The numbers of the rubric's criteria that are not met.", max_length=100, examples=[[2]]
    )
    verdict: Literal["met", "not_met", "not_applicable"] = Field(
        description="Whether the rubric is met.", examples=["met"]
    )
    quote: str = Field(description="The words that decide, exactly as shown; may be empty.", max_length=4000)
    why: str = Field(description="The reason, in a sentence.", max_length=4000)


class ReplyGiven(BaseModel):
    """The verdicts on one request."""

    model_config = ConfigDict(extra="forbid")
    request: str = Field(description="The request's id.", max_length=64)
    verdicts: list[VerdictGiven] = Field(
        description="One verdict for every question of the request, markers too.", max_length=500
    )


ExportName = Annotated[
    str, Field(description="The `export` that `list_questions` gave.", min_length=1, max_length=64, examples=["5eed…"])
]
ModelName = Annotated[str, Field(description="The model that judged, for the record.", max_length=100)]
Replies = Annotated[list[ReplyGiven], Field(description="One reply for each request of the export.", max_length=2000)]


class Page(TypedDict):
    """Where the rows of an answer stand in the whole; `next_cursor` is null on the last page."""

    total: int
    returned: int
    next_cursor: str | None


class Reviewed(TypedDict):
    """A report as JSON v1, whose sections hold the findings of this page; why its profile was chosen; what was not read."""

    report: dict[str, Any]
    because: str
    unreadable: dict[str, Any]
    notes: list[str]
    page: Page


class Listed(TypedDict):
    """The tools of this page, and what could not be read."""

    tools: list[dict[str, Any]]
    unreadable: dict[str, Any]
    page: Page


class Questions(TypedDict):
    """The requests of this page. `system` and `reply_schema` are null but on the first."""

    export: str
    instructions: str
    system: str | None
    reply_schema: dict[str, Any] | None
    requests: list[dict[str, Any]]
    unreadable: dict[str, Any]
    page: Page


class RuleList(TypedDict):
    """The rules of this page."""

    rules: list[dict[str, Any]]
    page: Page


class RulePages(TypedDict):
    """The pages of rules, in Markdown."""

    rules: list[dict[str, Any]]
    page: Page
