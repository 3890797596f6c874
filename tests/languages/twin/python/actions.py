from pydantic import BaseModel


class ParamSpec(BaseModel):
    name: str
    ty: str
    required: bool
    description: str


class ActionSpec(BaseModel):
    name: str
    description: str
    destructive: bool
    params: tuple[ParamSpec, ...]
    returns: str
