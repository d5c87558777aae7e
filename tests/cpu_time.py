"""Prints which tests take most processor time: `python -m pytest -p tests.cpu_time tests/mpi`.

Counted is the time of the test's process and of the child processes it waited for. A fixture's
time counts for the first test that asks for it. `TESTS_SHOWN` says how many tests to print.
"""

from __future__ import annotations

import os
import resource
from collections import defaultdict
from collections.abc import Generator

import pytest

KEY = "cpu seconds"

_last = 0.0
_by_test: dict[str, float] = defaultdict(float)


def _now() -> float:
    """Return the seconds of processor time that this process and its children took."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(use.ru_utime + use.ru_stime for use in map(resource.getrusage, who))


def pytest_runtest_logstart() -> None:
    """Leave out what collecting took."""
    global _last
    _last = _last or _now()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep the time of one phase of a test (setup, call, teardown) in its report."""
    global _last
    report = yield
    before, _last = _last, _now()
    report.user_properties = [(KEY, _last - before)]
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Sum a test's phases; with xdist, in the controlling process alone."""
    _by_test[report.nodeid] += float(str(dict(report.user_properties).get(KEY, 0)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the sum of each folder and the tests that took most, in seconds."""
    by_folder: dict[str, float] = defaultdict(float)
    for test, seconds in _by_test.items():
        by_folder["/".join(test.split("::")[0].split("/")[:2])] += seconds
    terminalreporter.section(f"processor time: {sum(_by_test.values()):.1f} s")
    limit = int(os.environ.get("TESTS_SHOWN", "30"))
    for table in (by_folder, _by_test):
        for name in sorted(table, key=table.__getitem__, reverse=True)[:limit]:
            terminalreporter.write_line(f"{table[name]:8.2f} {name}")
