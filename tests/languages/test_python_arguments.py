"""What a tool's function takes: names, annotations as written, and whether the type of each has fields."""

import pytest

from tests.languages.python_projects import LOW, tool

HEAD = """\
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Optional, Union, TypedDict, NamedTuple

from mcp.server.fastmcp import Context, FastMCP
from pydantic import BaseModel, Field, create_model
from elsewhere import Foreign, Base

mcp = FastMCP("shelf")

class Loan(BaseModel):
    title: str

class LongLoan(Loan):
    weeks: int

@dataclass
class Card:
    owner: str

class Filter(TypedDict):
    genre: str

class Spot(NamedTuple):
    row: int

class Genre(str, Enum):
    CRIME = "crime"

class Plain:
    row: int

class Half(Base):
    row: int

Alias = LongLoan
Made = create_model("Made", row=(int, ...))
"""


def taken(folder, parameters):
    takes = tool(folder, f"{HEAD}\n@mcp.tool()\ndef lend({parameters}) -> str:\n    '''Lend.'''\n").handler.takes
    return [(str(each.name), None if each.type is None else str(each.type), each.model) for each in takes]


@pytest.mark.parametrize(
    ("annotation", "model"),
    [
        ("Loan", True),
        ("LongLoan", True),
        ("Alias", True),
        ("'Loan'", True),
        ("Card", True),
        ("Filter", True),
        ("Spot", True),
        ("Made", True),
        ("Optional[Loan]", True),
        ("Loan | None", True),
        ("Union[Loan, LongLoan]", True),
        ("Annotated[Loan, Field(description='what')]", True),
        ("Union[Loan, str]", False),
        ("str", False),
        ("Any", False),
        ("list[Loan]", False),
        ("dict[str, Loan]", False),
        ("Genre", False),
        ("Plain", False),
        ("Foreign", None),
        ("Half", None),
        ("Foreign | None", None),
    ],
)
def test_a_type_with_fields(tmp_path, annotation, model):
    assert taken(tmp_path, f"given: {annotation}") == [("given", annotation, model)]


def test_what_is_injected_is_left_out(tmp_path):
    assert taken(tmp_path, "input: Loan, ctx: Context") == [("input", "Loan", True)]


def test_without_annotation_or_arguments(tmp_path):
    assert taken(tmp_path, "title, weeks=3") == [("title", None, False), ("weeks", None, False)]


def test_no_arguments(tmp_path):
    assert taken(tmp_path, "") == []


def test_a_method(tmp_path):
    text = f"""{HEAD}
class Desk:
    def lend(self, input: Loan) -> str:
        '''Lend.'''

mcp.add_tool(Desk().lend)
"""
    takes = tool(tmp_path, text).handler.takes
    assert [(str(each.name), str(each.type), each.model) for each in takes] == [("input", "Loan", True)]


def test_a_tool_without_a_function_of_its_own(tmp_path):
    text = """
@app.list_tools()
async def listed():
    return [Tool(name="lend", description="Lend.", inputSchema={"type": "object"})]
"""
    handler = tool(tmp_path, LOW + text).handler
    assert handler is None or handler.takes is None
