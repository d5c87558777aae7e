"""An experiment's analyzed profile, computed once: every format renders this record."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.analysis.callpaths import PathProfile, callpath_profile
from pomp_clang.analysis.counters import CounterProfile, counter_profile
from pomp_clang.analysis.device_use import DeviceUse
from pomp_clang.analysis.overheads import OverheadAnalysis, analyze_overheads
from pomp_clang.analysis.perturbation import Perturbation
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.analysis.properties import PropertyFinding, findings_of_run
from pomp_clang.analysis.property_texts import IMBALANCE_IN_LOOP
from pomp_clang.analysis.run import Breakdown, break_down
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.experiment.source_folder import common_folder, named_from
from pomp_clang.shared_dataclass import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.analysis.schedules.predict import LoopPrediction


@dataclass(frozen=True, slots=True)
class ProfileReport:
    """All that a report of one process shows, before any format selects and orders it.

    `folder` is the common folder of the sources ("" if there is none) and `cost` the estimated
    cost of the measurement (None if the run did not measure it).  `profiles` are in the order of
    the region ids, and `callpaths` in the order of the tree. `findings` are by falling severity;
    findings of one cause, or of many small regions, are one.
    `counted` is None if no hardware counter was measured. `loops` are the predictions for loops with
    recorded iterations, which also are the advice of their findings.
    """

    experiment: Experiment
    folder: str
    cost: Perturbation | None
    profiles: tuple[RegionProfile, ...]
    analysis: OverheadAnalysis
    breakdown: Breakdown
    callpaths: tuple[PathProfile, ...]
    findings: tuple[PropertyFinding, ...]
    counted: CounterProfile | None
    loops: tuple[LoopPrediction, ...] = ()

    @property
    def devices(self) -> DeviceUse | None:
        """The use of devices; None in a program that does not offload."""
        return self.analysis.devices

    @property
    def named(self) -> dict[str, Region]:
        """The regions by id, with their files named from `folder`."""
        regions = named_from(self.experiment, self.folder).regions
        return {region.id: region for region in regions}


def profile_report(
    experiment: Experiment,
    cost: Perturbation | None = None,
    *,
    relative: bool = False,
    loops: tuple[LoopPrediction, ...] = (),
) -> ProfileReport:
    """Calculate the record of an experiment; with `relative` all files are named from the common
    folder."""
    folder = common_folder(experiment)
    if relative:
        experiment = named_from(experiment, folder)
    profiles = flat_profile(experiment)
    analysis = analyze_overheads(experiment, profiles)
    return ProfileReport(
        experiment,
        folder,
        cost,
        profiles,
        analysis,
        break_down(analysis),
        callpath_profile(experiment),
        with_schedules(findings_of_run(experiment, profiles, analysis), loops),
        counter_profile(experiment),
        loops,
    )


def with_schedules(
    findings: tuple[PropertyFinding, ...], loops: tuple[LoopPrediction, ...]
) -> tuple[PropertyFinding, ...]:
    """Return the findings; those of loops with predictions advise the best schedule."""
    if not loops:
        return findings
    from pomp_clang.analysis.schedules.predict import advice

    texts = {loop.region.id: advice(loop) for loop in loops}
    return tuple(
        replace(finding, advice=texts[finding.profile.region.id])
        if finding.title == IMBALANCE_IN_LOOP.title
        and finding.profile
        and finding.profile.region.id in texts
        else finding
        for finding in findings
    )
