"""Prints the visits of each region of an experiment, of all threads together."""

import json
import sys

for region in sorted(json.load(sys.stdin)["regions"], key=lambda r: (r["begin_line1"], r["kind"])):
    counts = [
        sum(t[c] for t in region["threads"])
        for c in ("execC", "bodyC", "createC")
        if any(c in t for t in region["threads"])
    ]
    print(region["kind"], region["begin_line1"], *counts)
