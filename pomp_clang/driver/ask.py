"""Asking a program something, as a compiler who it is."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.process import Outcome, not_run


def ask(command: Sequence[str], timeout: float = 60, given: bytes | None = None) -> Outcome:
    """Output of a command that is asked something; what it reads from its input is `given`.

    Raises DriverError when it cannot be run, or does not end.
    """
    environment = {**os.environ, "LC_ALL": "C", "CCACHE_DISABLE": "1"}
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL if given is None else None,
            input=given,
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
