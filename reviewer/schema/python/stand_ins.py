"""What stands for the types of a framework in the return annotation of a tool, apart from what loads pydantic for it."""


class Content:
    """Stands for a content block, an image or a sound: what a model reads."""


class Answer:
    """Stands for a whole answer that the tool makes itself: `CallToolResult`, `ToolResult`."""


class ForeignSchemaError(Exception):
    """Says whose schema it is that only the framework's own release has."""


class InputRequired:
    """Stands for the answer that asks the client for more; it is no output."""
