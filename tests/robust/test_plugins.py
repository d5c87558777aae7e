"""Libraries that are loaded and closed again and again, from several threads."""

from __future__ import annotations

import pytest

from tests.robust.both import Both, visits


@pytest.mark.parametrize("instrumented_host", [False, True])
def test_loaded_and_closed(both: Both, instrumented_host: bool) -> None:
    """Plugins are measured in an instrumented program and in one without OpenMP."""
    both.build("plugin.c", "one.so", "-shared", "-fPIC")
    both.build("plugin.c", "two.so", "-shared", "-fPIC")
    both.build("host.c", "host", "-ldl", "-lpthread", plain=not instrumented_host)
    ended = both.run("./host", "100", "./one.so", "./two.so")
    assert ended.out == "1200\n"
    (measured,) = both.experiments()
    assert visits(measured) == {"plugged": 1200}
    assert measured.complete
