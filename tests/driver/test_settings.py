"""Our own options: each is read into the attribute of its name."""

from __future__ import annotations

import pytest

from pomp_clang.driver.command.settings import OPTIONS, BuildSettings, read

NAMED_OTHERWISE = {"--pomp-budget", "--pomp-disable", "--pomp-library"}


@pytest.mark.parametrize(
    ("name", "value"), [row[:2] for row in OPTIONS if row[0] not in NAMED_OTHERWISE]
)
def test_an_option_is_read_into_the_attribute_of_its_name(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    attribute = name.removeprefix("--pomp-")
    assert hasattr(BuildSettings, attribute), f"BuildSettings has no default for {name}"
    monkeypatch.delenv("POMP_FLAGS", raising=False)
    for choice in value.split("|"):
        settings = read([f"{name}={choice}" if choice else name])
        assert getattr(settings, attribute) == (choice or True)


def test_constructs_of_several_options_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POMP_FLAGS", "--pomp-disable=atomic")
    assert read(["--pomp-disable=critical, flush"]).disabled == {"atomic", "critical", "flush"}
