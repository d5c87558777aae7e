"""Why there is no export."""


class ExportError(Exception):
    """In one line, for a person."""
