"""The use of devices that a program's OpenMP runtime reported."""

from __future__ import annotations

from pomp_clang.shared_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class TargetActivity:
    """A part of the program's use of a device: C are counts, V are bytes, T are seconds.

    The OpenMP runtime began a construct for the device `targetC` times, `deferC` of them as tasks,
    and was in it for `targetT`. `deviceC` devices were used for the first time, which took
    `deviceT`. It launched `launchC` kernels, `oneTeamC` of them for one team. `kernelT` is from a
    launch to its completion, if the runtime reports that. Then come transfers to the device
    and from it, allocations, and deletions. Contents may have been compared. Then `againC` are
    transfers to the device of what went there before, and `roundC` of what came from there before.
    `sameC` are transfers from the device of what the host had before.
    """

    targetC: int = 0
    targetT: float = 0.0
    deferC: int = 0
    deviceC: int = 0
    deviceT: float = 0.0
    launchC: int = 0
    oneTeamC: int = 0
    kernelT: float = 0.0
    toC: int = 0
    toV: int = 0
    toT: float = 0.0
    fromC: int = 0
    fromV: int = 0
    fromT: float = 0.0
    allocC: int = 0
    allocV: int = 0
    allocT: float = 0.0
    deleteC: int = 0
    deleteT: float = 0.0
    againC: int = 0
    againV: int = 0
    againT: float = 0.0
    roundC: int = 0
    roundV: int = 0
    roundT: float = 0.0
    sameC: int = 0
    sameV: int = 0
    sameT: float = 0.0

    def __add__(self, other: TargetActivity) -> TargetActivity:
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__slots__)
        return TargetActivity(*(a + b for a, b in pairs))

    @property
    def mapT(self) -> float:
        """The time of the runtime itself: for maps, and for the preparation of launches."""
        moved = self.toT + self.fromT + self.allocT + self.deleteT
        return max(0.0, self.targetT - self.kernelT - moved)


@dataclass(frozen=True, slots=True)
class TargetData:
    """The part of a call path's use of a device that concerns the data at an address of the host.

    `bytes` is the size of the largest transfer or allocation. Addresses beyond the first of a call path
    share the address 1. `name` is the variable's, "" if unknown.
    """

    callpath: str
    device: int
    address: int
    bytes: int
    activity: TargetActivity
    name: str = ""


@dataclass(frozen=True, slots=True)
class TargetProfile:
    """A program's use of devices, as the OpenMP runtime reports it.

    `runtime` is its name, "" if it has another tool. `number` is the number of devices that the program
    could use, None if unknown. `devices` are the kinds of the devices that it
    initialized, by number. `activities` are by (call path, device), and exclusive; call path "" is
    outside all regions.
    """

    runtime: str
    number: int | None
    devices: dict[int, str]
    activities: dict[tuple[str, int], TargetActivity]
    data: tuple[TargetData, ...]
    compares: bool = False
    """True if the contents of transfers were compared"""

    @property
    def is_reported(self) -> bool:
        """True if the use of devices is known: the runtime reports it, or there are none."""
        return bool(self.devices or self.activities or self.number == 0)
