"""Places are named from the folder that all sources share."""

from dataclasses import replace

import pytest

from pomp_clang.experiment.model import Experiment
from pomp_clang.experiment.source_folder import common_folder, named_from
from tests.handmade import experiment, region


def of(*files: str) -> Experiment:
    region_ = region("R00001", "for", 1)
    return experiment([replace(region_, file=f) for f in files], {})


@pytest.mark.parametrize(
    ("files", "folder"),
    [
        (("/home/a/x.c", "/home/a/b/y.c"), "/home/a"),
        (("/home/a/x.c",), "/home/a"),
        (("/a/x.c", "/b/y.c"), ""),
        (("x.c", "y.c"), ""),
        (("x.c", "/home/a/y.c"), "/home/a"),
        ((), ""),
    ],
)
def test_the_common_folder(files: tuple[str, ...], folder: str) -> None:
    assert common_folder(of(*files)) == folder


def test_names_below_it_are_shortened_and_others_kept() -> None:
    experiment = named_from(of("/home/a/b/y.c", "<stdin>", "/home/ab/z.c"), "/home/a")
    assert [r.file for r in experiment.regions] == ["b/y.c", "<stdin>", "/home/ab/z.c"]
