"""The processes of a job together: waits between them, delays, critical path and what-if
predictions."""
