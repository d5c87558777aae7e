"""Constructs -> plan: what is measured, what is left out, and why."""
