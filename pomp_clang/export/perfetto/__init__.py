"""Traces as JSON of the Trace Event Format, which Perfetto shows."""
