"""`python -m pomp_clang` is `pomp-clang`."""

from __future__ import annotations

import sys

from pomp_clang.cli import main

sys.exit(main())
