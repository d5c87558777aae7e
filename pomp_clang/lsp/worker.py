"""The process that reads sources: a request a line on its standard input, an answer a line.

libclang works in a process of its own, so that the server answers meanwhile, and outlives what
a source can do to a parser.
"""

from __future__ import annotations

import json
import os
import sys

from pomp_clang.lsp.place import Request
from pomp_clang.lsp.survey import Surveyor


def main() -> None:
    """Answer until nobody asks."""
    # What libraries and compilers print is no answer.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="surrogateescape")
    os.dup2(2, 1)
    surveyor = Surveyor()
    for line in sys.stdin:
        values = json.loads(line)
        values["command"] = tuple(values["command"])
        answers.write(json.dumps(surveyor.survey(Request(**values)).as_json()) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
