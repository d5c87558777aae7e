"""Findings at target constructs, of values made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.device_use import HOST
from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import PropertyFinding, find_properties
from pomp_clang.experiment.model import Measured
from pomp_clang.experiment.target_profile import TargetActivity, TargetData, TargetProfile
from tests.handmade import call_paths, experiment, region

TARGET = "target parallel for"


def _findings(
    activity: TargetActivity,
    *data: TargetData,
    kind: str = TARGET,
    clauses: str = "",
    devices: int = 1,
    visits: int = 10,
    compares: bool = False,
    device: str = "gpu",
) -> dict[str, PropertyFinding]:
    run = experiment(
        [region("R1", kind, 3, clauses=clauses)],
        {("R1", 0): Measured(execC=visits, execT=4.0)},
        threads=2,
        duration=10.0,
    )
    path = "C00001"
    target = TargetProfile(
        "LLVM OMP", devices, {0: device} if devices else {}, {(path, 0): activity}, data, compares
    )
    run = replace(
        run,
        target=target if activity != TargetActivity() else replace(target, activities={}),
        callpaths=call_paths("R1"),
        callpath_profile={(path, 0): run.profile["R1", 0]},
    )
    profiles = flat_profile(run)
    findings = find_properties(profiles, analyze_overheads(run, profiles))
    return {finding.name: finding for finding in findings if finding.profile}


def _data(
    address: int = 0x1000, size: int = 800_000, name: str = "", **values: float
) -> TargetData:
    activity = TargetActivity(**values)  # type: ignore[arg-type]
    return TargetData("C00001", 0, address, size, activity, name)


def test_transfers_but_for_the_first_are_repeated() -> None:
    activity = TargetActivity(launchC=10, kernelT=1.0, targetT=3.5, toC=10, toT=2.0)
    by_name = _findings(activity, _data(toC=10, toV=8_000_000, toT=2.0))
    finding = by_name["RepeatedTransfer"]
    assert finding.severity == pytest.approx(1.8)
    assert finding.share == pytest.approx(0.09)
    assert finding.locations == pytest.approx((1.8, 0.0))
    assert finding.gain(2) == pytest.approx(1.8), "the other thread waits meanwhile"
    assert finding.text == (
        "The same data, 800 kB, is transferred again and again: 10 transfers of 8.00 MB in all take "
        "2.00 s."
    )


def test_a_sentence_has_the_time_of_memory_that_is_part_of_the_severity() -> None:
    activity = TargetActivity(launchC=10, kernelT=1.0, toC=10, toT=2.0, allocC=10, deleteT=1.0)
    by_name = _findings(activity, _data(toC=10, toV=8_000_000, toT=2.0, allocC=10))
    assert by_name["RepeatedTransfer"].severity == pytest.approx(1.8 + 0.9)
    assert by_name["RepeatedTransfer"].text.endswith(
        "take 2.00 s, and their allocations and deletions 900 ms."
    )


def test_different_data_is_not_repeated() -> None:
    data = [_data(0x1000 * n, toC=1, toV=800_000, toT=0.2, allocC=1) for n in range(1, 11)]
    others = _data(1, toC=5, toT=1.0, allocC=5)
    by_name = _findings(TargetActivity(launchC=10, kernelT=1.0, toC=15, toT=3.0), *data, others)
    assert not {"RepeatedTransfer", "RepeatedAllocation"} & set(by_name)


def test_an_update_is_meant_to_be_repeated() -> None:
    assert not _findings(TargetActivity(toC=10, toT=2.0), _data(toC=10), kind="target update")


def test_deletions_are_a_part_of_allocations() -> None:
    activity = TargetActivity(launchC=10, kernelT=1.0, allocC=20, allocT=1.0, deleteT=1.0)
    by_name = _findings(activity, _data(allocC=10, allocT=0.5))
    assert by_name["RepeatedAllocation"].severity == pytest.approx(0.9)


def test_kernels_are_small_if_their_launch_takes_longer() -> None:
    """Ten visits of 4 s in all: one launch stays, and the way to the runtime is a part of a launch."""
    launches = TargetActivity(launchC=10, oneTeamC=10, kernelT=0.1, targetT=3.6)
    finding = _findings(launches)["SmallKernels"]
    assert finding.severity == pytest.approx(0.9 * (4.0 - 0.1))
    assert finding.gain(2) == pytest.approx(finding.severity)
    assert finding.text == "10 kernels run for 10.0 ms each on average, and take 390 ms to launch."
    assert "TargetWithoutTeams" not in _findings(launches)
    assert "SmallKernels" not in _findings(replace(launches, kernelT=1.9))
    assert "SmallKernels" not in _findings(replace(launches, launchC=1), visits=1)
    deferred = _findings(replace(launches, deferC=10))["SmallKernels"]
    assert deferred.severity == pytest.approx(0.9 * 3.5)


@pytest.mark.parametrize(
    ("kind", "holds"), [(TARGET, True), ("target", True), ("target teams distribute", False)]
)
def test_one_team_where_the_directive_has_none(kind: str, holds: bool) -> None:
    activity = TargetActivity(launchC=10, oneTeamC=5, kernelT=3.0, targetT=3.5)
    by_name = _findings(activity, kind=kind)
    assert ("TargetWithoutTeams" in by_name) == holds
    if holds:
        assert by_name["TargetWithoutTeams"].severity == pytest.approx(1.5)
        assert by_name["TargetWithoutTeams"].gain(2) is None, "the device's teams are not known"
    assert "TargetWithoutTeams" not in _findings(activity, kind=kind, device=HOST)


def test_visits_without_a_launch_ran_on_the_host() -> None:
    half = _findings(TargetActivity(launchC=5, kernelT=0.4, targetT=0.5))["FallbackToHost"]
    assert half.severity == pytest.approx(3.5)
    assert half.gain(2) == pytest.approx(3.0), "five more visits of the device"
    assert half.text == "5 of 10 visits launched no kernel: they ran on the host, for 3.50 s."
    slow = _findings(TargetActivity(launchC=5, kernelT=0.4, targetT=2.5))["FallbackToHost"]
    assert (slow.severity, slow.gain(2)) == (pytest.approx(1.5), 0.0)
    never = _findings(TargetActivity(), devices=0)["FallbackToHost"]
    assert (never.severity, never.gain(2)) == (pytest.approx(4.0), None)
    assert "FallbackToHost" not in _findings(TargetActivity(launchC=5), clauses="if (n > 9)")
    assert "FallbackToHost" not in _findings(TargetActivity(launchC=5), clauses="device(gpu)")
    assert "FallbackToHost" in _findings(TargetActivity(), devices=0, clauses="device(gpu)")


def test_data_is_mapped_in_vain_without_a_launch_below() -> None:
    mapped = TargetActivity(targetC=2, targetT=0.5, allocC=1, allocV=800_000)
    by_name = _findings(mapped, kind="target data", visits=1)
    assert by_name["UnusedMapping"].severity == pytest.approx(0.5)


def test_advice_has_the_clauses_of_known_variables() -> None:
    activity = TargetActivity(launchC=10, kernelT=1.0, toC=20, fromC=10, toT=2.0, fromT=1.0)
    data = [
        _data(0x1000, name="a", toC=10, toT=1.0),
        _data(0x2000, name="b\x1b", toC=10, fromC=10, toT=1.0, fromT=1.0),
        _data(0x3000, name="c", fromC=10, fromT=1.0),
    ]
    by_name = _findings(activity, *data)["RepeatedTransfer"]
    assert (
        "target data map(to: a) map(tofrom: b?) map(from: c), or target enter data"
        in by_name.advice
    )
    assert by_name.text.startswith("The same data, 2.40 MB of a, b?, c, is transferred")
    unnamed = _findings(activity, *data, _data(0x4000, toC=10, toT=1.0))["RepeatedTransfer"]
    assert "target data, or target enter data" in unnamed.advice
    assert unnamed.text.startswith("The same data, 3.20 MB of a, b?, c, is transferred")


def test_advice_leaves_out_what_is_small() -> None:
    activity = TargetActivity(launchC=10, kernelT=1.0, toC=20, toT=2.0)
    data = [_data(0x1000, name="a", toC=10, toT=1.0), _data(0x2000, 8, toC=10, toT=0.1)]
    assert "target data map(to: a), or" in _findings(activity, *data)["RepeatedTransfer"].advice


@pytest.mark.parametrize(
    ("name", "clauses", "holds"),
    [
        ("big", "", True),
        ("big", "map(to: bigger) private(x)", True),
        ("big", "map(tofrom: big)", False),
        ("big[0:n]", "map(tofrom: big[0 : n])", False),
        ("this->data", "map(to: this->count)", False),
        ("", "", False),
        ("big", "map(to: x)".ljust(400), False),
    ],
)
def test_a_transfer_is_implicit_if_no_clause_names_the_variable(
    name: str, clauses: str, holds: bool
) -> None:
    activity = TargetActivity(launchC=1, kernelT=1.0, toC=1, fromC=1, toT=0.7, fromT=0.3)
    data = _data(name=name, toC=1, fromC=1, toT=0.7, fromT=0.3)
    by_name = _findings(activity, data, clauses=clauses, visits=1)
    assert ("ImplicitTransfer" in by_name) == holds
    if holds:
        assert by_name["ImplicitTransfer"].severity == pytest.approx(1.0)
        assert by_name["ImplicitTransfer"].gain(2) == pytest.approx(0.3), "one way stays"
        assert by_name["ImplicitTransfer"].text.endswith("in all 700 ms there and 300 ms back.")


def test_contents_replace_repetitions() -> None:
    data = _data(name="a", toC=10, fromC=10, toT=2.0, fromT=1.0, againC=3, againT=0.6, roundC=5,
                 roundV=4_000_000, roundT=1.0, sameC=1, sameV=800_000, sameT=0.1)  # fmt: skip
    by_name = _findings(data.activity, data, compares=True)
    assert by_name["RedundantTransfer"].severity == pytest.approx(0.7)
    assert by_name["RoundTrip"].severity == pytest.approx(1.0 + 0.5)
    assert by_name["RoundTrip"].text == (
        "5 of 10 transfers to the device carry what came from it before, 4.00 MB of a. Both ways "
        "take 1.50 s."
    )
    assert "target data map(tofrom: a), or" in by_name["RoundTrip"].advice
    assert "RepeatedTransfer" not in by_name


def test_redundant_transfers_cost_their_allocations_too() -> None:
    data = _data(toC=10, toT=2.0, againC=9, againT=1.8, allocC=10, allocT=0.5)
    by_name = _findings(data.activity, data, compares=True)
    assert by_name["RedundantTransfer"].severity == pytest.approx(1.8 + 0.5 * 0.9 * 0.9)


def test_the_advice_for_an_update_is_to_remove_it() -> None:
    data = _data(name="a", toC=10, toT=2.0, againC=9, againT=1.8, roundC=2, roundT=0.2)
    by_name = _findings(data.activity, data, compares=True, kind="target update")
    for name in ("RedundantTransfer", "RoundTrip"):
        assert "Remove the update" in by_name[name].advice


@pytest.mark.parametrize(
    ("inner", "seconds"), [("target", 2.0), ("parallel", 2.0), ("single", 3.0)]
)
def test_work_between_kernels_is_in_no_target_construct(inner: str, seconds: float) -> None:
    """The block lasts 4 s, its kernels 1 s, and another construct in it 1 s."""
    measured = {
        "C00001": Measured(execC=1, execT=4.5, bodyT=4.0),
        "C00002": Measured(execC=2, execT=1.0),
        "C00003": Measured(execC=1, execT=1.5),
        "C00004": Measured(execC=1, execT=1.0),
    }
    regions = [
        region("R1", "target data", 3, 20),
        region("R2", "target", 4),
        region("R3", "function", 30),
        region("R4", inner, 31),
    ]
    run = experiment(
        regions,
        {(f"R{number}", 0): values for number, values in enumerate(measured.values(), 1)},
        threads=2,
        duration=10.0,
    )
    run = replace(
        run,
        target=TargetProfile(
            "LLVM OMP", 1, {0: "gpu"},
            {("C00001", 0): TargetActivity(allocC=1), ("C00002", 0): TargetActivity(launchC=2)}, (),
        ),
        callpaths=call_paths("R1\n  R2\n  R3\n    R4"),
        callpath_profile={
            **{(path, 0): values for path, values in measured.items()},
            ("C00004", 1): measured["C00004"],
        },
    )  # fmt: skip
    profiles = flat_profile(run)
    findings = find_properties(profiles, analyze_overheads(run, profiles))
    (by_name,) = [finding for finding in findings if finding.name == "HostWorkBetweenKernels"]
    assert by_name.severity == pytest.approx(seconds)
    assert by_name.text == (
        f"The host works for {seconds:.2f} s of 4.00 s in the block, outside its 2 kernels and parallel "
        "regions."
    )
