"""Drawings of a job: the radar chart and the overhead pies of ompP, for pages and as files."""
