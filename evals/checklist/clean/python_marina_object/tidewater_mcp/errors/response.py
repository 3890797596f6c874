"""The envelope."""

from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from .codes import IssueCode

T = TypeVar("T")


class ToolIssue(BaseModel):
    """One thing that went wrong."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"code": "RATE_LIMIT", "message": "Too many calls.", "retry_after_ms": 3000}],
        }
    )

    code: IssueCode = Field(description="What kind of failure it is.", examples=["RATE_LIMIT"])
    message: str = Field(description="What happened, in a sentence.", examples=["Too many calls."])
    hint: str | None = Field(None, description="What to try instead.", examples=["Wait, then call again."])
    retry_after_ms: int | None = Field(None, ge=0, description="How long to wait, in ms.", examples=[3000])


class ToolResponse(BaseModel, Generic[T]):
    """What every tool answers."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"ok": False, "result": None, "issues": [{"code": "NOT_FOUND", "message": "There is no such berth."}]}
            ],
        }
    )

    ok: bool = Field(description="Whether it worked.", examples=[True])
    result: T | None = Field(None, description="The answer, if it worked.")
    issues: list[ToolIssue] = Field(default_factory=list, description="What went wrong, if it did not work.")
