"""Profiles and root causes as CUBE 4 files (.cubex)."""
