"""Short queries to a program, such as a compiler's version."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from pomp_clang.driver.process.errors import DriverError
from pomp_clang.driver.process.run import Outcome, not_run


def query(command: Sequence[str], timeout: float = 60, stdin: bytes | None = None) -> Outcome:
    """Run a command with `stdin` as its input and return its output, in English.

    Raises DriverError when it cannot be run, or takes longer than `timeout` seconds.
    """
    environment = {**os.environ, "LC_ALL": "C", "CCACHE_DISABLE": "1"}
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL if stdin is None else None,
            input=stdin,
            capture_output=True,
            env=environment,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DriverError(f"{command[0]}: no answer in {timeout:.0f} s") from None
    except OSError as error:
        raise not_run(command[0], error) from None
    return Outcome(done.returncode, done.stdout, done.stderr)
