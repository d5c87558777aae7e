"""The worker process: one request per line of standard input, one answer per line of standard
output.

libclang works in a process of its own, so that the server answers meanwhile, and survives a crash
of the parser.
"""

from __future__ import annotations

import json
import os
import sys

from pomp_clang.lsp.analyze_document import DocumentAnalyzer
from pomp_clang.lsp.place import AnalysisRequest


def main() -> None:
    """Answer requests until the input ends."""
    # Libraries and compilers print to standard output, too: their text goes to standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="surrogateescape")
    os.dup2(2, 1)
    surveyor = DocumentAnalyzer()
    for line in sys.stdin:
        values = json.loads(line)
        values["command"] = tuple(values["command"])
        answers.write(json.dumps(surveyor.survey(AnalysisRequest(**values)).as_json()) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
