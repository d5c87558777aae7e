"""Analysis -> what a person or a program reads.

`produce` goes from a request to a written report, `several` does so for comparisons of runs.
A file is one form of one thing: `text_...` the sections for a terminal, `json_...` and `csv_...`
those of the contracts in docs/reference/, `diff_...` and `scale_...` runs beside each other.
`html` is the profile as a page, `presenter` the page of a recorded run, `charts` drawings of a job.
What is said alike everywhere is in `wording`.
"""
