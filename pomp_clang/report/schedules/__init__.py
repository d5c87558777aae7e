"""Predicted schedules of loops, as text and JSON; the filter that records loops; trials."""
