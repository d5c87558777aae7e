"""Findings: properties at call paths, ranked, compared between runs, with predicted gains."""
