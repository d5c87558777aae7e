"""Analysis results -> what a person or a program reads.

`write_report` and `write_comparison` go from a request to a written report; `model` analyzes an
experiment once for all formats.  Each folder is a format (`text`, `json`, `csv`, `html`; `page` is
the page of a recorded run, `charts` are drawings of a job), each file in it a subject: `profile`,
`job`, `compare`, `scale`, or a section of these.  `phrases` has the wording that all formats share.
"""
