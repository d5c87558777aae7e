"""Errors of an export."""


class ExportError(Exception):
    """Why there is no export, in one line."""
